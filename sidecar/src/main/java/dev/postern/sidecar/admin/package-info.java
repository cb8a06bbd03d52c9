/**
 * What others may ask: health, metrics and probes on the pod's address; connections, status and
 * drain on a Unix socket that only this container reaches.
 */
package dev.postern.sidecar.admin;
