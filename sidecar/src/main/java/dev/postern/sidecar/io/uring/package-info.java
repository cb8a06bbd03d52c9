/**
 * Completion I/O by io_uring(7): liburing sets the ring up and registers things, the rings
 * themselves are read and written through their mapped memory.
 */
package dev.postern.sidecar.io.uring;
