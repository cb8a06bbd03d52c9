package dev.postern.operator.serving;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.PemCertificates;
import dev.postern.operator.pki.PkiException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The webhook's CAs, as they lie in one Secret: tls.crt and tls.key sign now, next.crt and next.key
 * are trusted already and sign later, previous.crt is still trusted.
 *
 * @param current signs
 * @param next joins the bundle before it signs; empty outside of a rotation
 * @param previous the certificate of the CA that signed before
 */
record WebhookAuthorities(
    CertificateAuthority current,
    Optional<CertificateAuthority> next,
    Optional<X509Certificate> previous) {

  static WebhookAuthorities first(CertificateAuthority current) {
    return new WebhookAuthorities(current, Optional.empty(), Optional.empty());
  }

  /**
   * Reads the Secret's data.
   *
   * @throws PkiException when the signing CA cannot be used; a broken next or previous one is
   *     dropped, since a new one costs nothing
   */
  static WebhookAuthorities read(String source, Map<String, byte[]> data, Instant now) {
    CertificateAuthority current =
        CertificateAuthority.fromPem(source, data.get("tls.crt"), data.get("tls.key"), now);
    return new WebhookAuthorities(current, readNext(source, data, now), readPrevious(source, data));
  }

  /** The Secret's data; the caller wipes the keys' bytes. */
  Map<String, byte[]> write() {
    Map<String, byte[]> data = new HashMap<>();
    data.put("tls.crt", current.certificatePem());
    data.put("tls.key", current.privateKeyPem());
    next.ifPresent(
        ca -> {
          data.put("next.crt", ca.certificatePem());
          data.put("next.key", ca.privateKeyPem());
        });
    previous.ifPresent(ca -> data.put("previous.crt", PemCertificates.write(Set.of(ca))));
    return data;
  }

  /** What the API server has to trust: the signing CA, and those before and after it. */
  byte[] bundle() {
    Set<X509Certificate> anchors = new LinkedHashSet<>();
    anchors.add(current.certificate());
    next.ifPresent(ca -> anchors.add(ca.certificate()));
    previous.ifPresent(anchors::add);
    return PemCertificates.write(anchors);
  }

  private static Optional<CertificateAuthority> readNext(
      String source, Map<String, byte[]> data, Instant now) {
    try {
      return Optional.of(
          CertificateAuthority.fromPem(
              source + " (next)", data.get("next.crt"), data.get("next.key"), now));
    } catch (PkiException e) {
      return Optional.empty();
    }
  }

  private static Optional<X509Certificate> readPrevious(String source, Map<String, byte[]> data) {
    byte[] pem = data.get("previous.crt");
    if (pem == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(PemCertificates.readAnchors(source + " previous.crt", pem).get(0));
    } catch (PkiException e) {
      return Optional.empty();
    }
  }
}
