package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.EvpPkey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What the server shows of itself.
 *
 * @param chain the leaf first, then its issuers; validated by whoever made it
 * @param key the leaf's private key
 */
public record ServerIdentity(List<X509Certificate> chain, EvpPkey key) {

  public ServerIdentity {
    chain = List.copyOf(chain);
    assert !chain.isEmpty();
  }
}
