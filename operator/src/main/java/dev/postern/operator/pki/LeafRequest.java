package dev.postern.operator.pki;

import java.security.PublicKey;
import java.time.Duration;
import java.util.Set;

/**
 * A leaf to be issued; its names are decided already ({@link NamePolicy}).
 *
 * @param names exactly those that the certificate gets; at least one
 * @param publicKey the subject's key
 * @param usages from {@link Usage#parse}
 * @param lifetime from notBefore to notAfter; cut where the CA ends earlier
 */
public record LeafRequest(
    CertificateNames names, PublicKey publicKey, Set<Usage> usages, Duration lifetime) {

  public LeafRequest {
    usages = Set.copyOf(usages);
    if (names.isEmpty()) {
      throw new PkiException("a certificate needs at least one name");
    }
    if (!lifetime.isPositive()) {
      throw new PkiException("duration: " + lifetime + " is not positive");
    }
  }
}
