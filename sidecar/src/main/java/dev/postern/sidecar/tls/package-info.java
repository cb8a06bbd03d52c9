/**
 * TLS of one connection as an explicit state machine over OpenSSL: handshake, records, alerts.
 *
 * <p>Knows no sockets: ciphertext goes in and out through memory, or (later) through a descriptor
 * that OpenSSL owns where the kernel is to take over the records.
 */
package dev.postern.sidecar.tls;
