package dev.postern.sidecar.identity;

import dev.postern.sidecar.tls.ServerIdentity;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * The pod's identity, validated: the key is the leaf's, the chain is in order, nothing is expired.
 *
 * @param server the chain and the key
 */
public record Identity(ServerIdentity server) {

  public X509Certificate leaf() {
    return server.chain().getFirst();
  }

  /** When the leaf expires. */
  public Instant notAfter() {
    return leaf().getNotAfter().toInstant();
  }

  /** The leaf's serial number, hexadecimal: tells one identity from the next in logs. */
  public String serial() {
    return leaf().getSerialNumber().toString(16);
  }
}
