package dev.postern.sidecar.identity;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;

/** Who signed a certificate. */
final class Signatures {

  private Signatures() {}

  /** True when the issuer's name and key fit. */
  static boolean issued(X509Certificate issuer, X509Certificate subject) {
    if (!subject.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      subject.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
