package dev.postern.operator.pki;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A fresh leaf and what its Secret needs beside the key.
 *
 * @param chain tls.crt: the leaf, then its intermediates; a self-signed root is left out
 * @param anchor ca.crt: the topmost certificate, the leaf itself when it is self-signed
 */
public record IssuedCertificate(List<X509Certificate> chain, X509Certificate anchor) {

  public IssuedCertificate {
    chain = List.copyOf(chain);
  }

  public X509Certificate leaf() {
    return chain.get(0);
  }

  /** Content of tls.crt. */
  public byte[] chainPem() {
    return PemCertificates.write(chain);
  }

  /** Content of ca.crt. */
  public byte[] anchorPem() {
    return PemCertificates.write(List.of(anchor));
  }
}
