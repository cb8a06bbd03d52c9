package dev.postern.sidecar.relay;

import dev.postern.sidecar.tls.PeerIdentity;

/**
 * What is known of a connection, for the access log and for /connections.
 *
 * @param client the client's address, "-" when unknown
 * @param app the dialled address, "-" before
 * @param version "TLSv1.3"; "-" without TLS
 * @param cipherSuite "-" without TLS
 * @param bytesIn plaintext bytes from the client
 * @param bytesOut plaintext bytes to the client
 * @param ageNs since accept
 * @param reason why it ended; null while it lives
 * @param detail more about the reason, for people; empty for none
 */
public record ConnectionReport(
    String client,
    String app,
    ConnectionState state,
    String version,
    String cipherSuite,
    PeerIdentity peer,
    PathTaken path,
    long bytesIn,
    long bytesOut,
    long ageNs,
    CloseReason reason,
    String detail) {

  /** The peer's first URI, else its first DNS name, else its subject, else "-". */
  public String peerName() {
    if (!peer.uris().isEmpty()) {
      return peer.uris().getFirst();
    }
    if (!peer.dnsNames().isEmpty()) {
      return peer.dnsNames().getFirst();
    }
    return peer.subject().isEmpty() ? "-" : peer.subject();
  }
}
