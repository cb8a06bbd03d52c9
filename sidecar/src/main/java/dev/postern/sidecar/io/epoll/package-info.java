/** Completion I/O by readiness: each descriptor registered once, edge-triggered (epoll(7)). */
package dev.postern.sidecar.io.epoll;
