package dev.postern.operator.serving;

import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.PemCertificates;
import dev.postern.operator.pki.PkiException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges a served chain as the API server will, from the caBundle that it holds. */
final class LeafVerification {
  private LeafVerification() {}

  /** Why the chain does not verify, or empty. */
  static Optional<String> failure(
      List<X509Certificate> chain, byte[] caBundle, String dnsName, Instant now) {
    if (chain.isEmpty()) {
      return Optional.of("no certificate to serve yet");
    }
    if (caBundle == null || caBundle.length == 0) {
      return Optional.of("the webhook configuration has no caBundle yet");
    }
    List<String> names = CertificateNames.of(chain.get(0)).dnsNames();
    if (!names.contains(dnsName)) {
      return Optional.of("the certificate is for " + names + ", not for " + dnsName);
    }
    try {
      validate(chain, PemCertificates.readAnchors("caBundle", caBundle), now);
      return Optional.empty();
    } catch (PkiException | CertPathValidatorException e) {
      return Optional.of("the certificate does not verify: " + e.getMessage());
    }
  }

  private static void validate(
      List<X509Certificate> chain, List<X509Certificate> anchors, Instant now)
      throws CertPathValidatorException {
    Set<TrustAnchor> trusted =
        anchors.stream().map(it -> new TrustAnchor(it, null)).collect(Collectors.toSet());
    try {
      CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(chain);
      PKIXParameters parameters = new PKIXParameters(trusted);
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      CertPathValidator.getInstance("PKIX").validate(path, parameters);
    } catch (CertPathValidatorException e) {
      throw e;
    } catch (GeneralSecurityException e) {
      throw new AssertionError("the JDK validates X.509 paths", e);
    }
  }
}
