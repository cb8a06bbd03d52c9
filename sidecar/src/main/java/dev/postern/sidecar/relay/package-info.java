/**
 * Connections: a client side, an app side and two directions between them.
 *
 * <p>A worker owns its loop, connections, counters and deadlines; others reach it by commands.
 */
package dev.postern.sidecar.relay;
