package dev.postern.operator.pki;

import dev.postern.operator.pki.SecretVerdict.Reason;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a certificate's Secret should hold; compares it with what it does hold.
 *
 * @param names the decided names
 * @param usages from {@link Usage#parse}
 * @param algorithm of the key
 * @param issuer the CA that signs it now; empty for selfSigned
 * @param renewal when to renew
 */
public record SecretExpectation(
    CertificateNames names,
    Set<Usage> usages,
    KeyAlgorithm algorithm,
    Optional<CertificateAuthority> issuer,
    RenewalPolicy renewal) {

  private static final List<String> KEYS = List.of("tls.crt", "tls.key", "ca.crt");
  private static final int DIGITAL_SIGNATURE_BIT = 0; // RFC 5280 4.2.1.3
  private static final int KEY_ENCIPHERMENT_BIT = 2;
  private static final String SERVER_AUTH_OID = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT_AUTH_OID = "1.3.6.1.5.5.7.3.2";

  /**
   * Judges a Secret.
   *
   * @param data the Secret's decoded data; null when there is no such Secret
   */
  public SecretVerdict check(Map<String, byte[]> data, Instant now) {
    if (data == null) {
      return SecretVerdict.unread(Reason.DOES_NOT_EXIST, "the Secret does not exist");
    }
    for (String key : KEYS) {
      byte[] content = data.get(key);
      if (content == null || content.length == 0) {
        return SecretVerdict.unread(Reason.MISSING_DATA, key + " is missing or empty");
      }
    }
    try {
      List<X509Certificate> chain = PemCertificates.readChain("tls.crt", data.get("tls.crt"));
      List<X509Certificate> anchors = readAnchors(data.get("ca.crt"));
      PrivateKey key = PemPrivateKey.read("tls.key", data.get("tls.key"));
      if (!PemPrivateKey.matches(key, chain.get(0).getPublicKey())) {
        return SecretVerdict.unread(
            Reason.INVALID_KEY_PAIR, "tls.key does not belong to the certificate in tls.crt");
      }
      return checkContent(chain, anchors, now);
    } catch (PkiException e) {
      return SecretVerdict.unread(Reason.INVALID_KEY_PAIR, e.getMessage());
    }
  }

  /** A self-signed leaf is its own anchor and no CA, so it is read as what it is. */
  private List<X509Certificate> readAnchors(byte[] pem) {
    return issuer.isPresent()
        ? PemCertificates.readAnchors("ca.crt", pem)
        : PemCertificates.readChain("ca.crt", pem);
  }

  private SecretVerdict checkContent(
      List<X509Certificate> chain, List<X509Certificate> anchors, Instant now) {
    X509Certificate leaf = chain.get(0);
    Instant notAfter = leaf.getNotAfter().toInstant();
    Instant renewAt = renewal.renewAt(leaf.getNotBefore().toInstant(), notAfter);
    Verdicts verdicts = new Verdicts(leaf, renewAt);

    List<String> differences = differences(leaf);
    if (!differences.isEmpty()) {
      return verdicts.of(
          Reason.SECRET_MISMATCH, "differs from the spec in " + String.join(", ", differences));
    }
    if (!isFromIssuer(chain, anchors)) {
      return verdicts.of(
          Reason.INCORRECT_ISSUER,
          "not issued by the issuer's present CA: " + leaf.getIssuerX500Principal());
    }
    if (!now.isBefore(notAfter)) {
      return verdicts.of(Reason.EXPIRED, "ended at " + notAfter);
    }
    if (!now.isBefore(renewAt)) {
      return verdicts.of(Reason.RENEWING, "due for renewal since " + renewAt);
    }
    return verdicts.of(Reason.READY, "valid until " + notAfter);
  }

  private List<String> differences(X509Certificate leaf) {
    List<String> differences = new ArrayList<>();
    if (!KeyAlgorithm.of(leaf.getPublicKey()).equals(Optional.of(algorithm))) {
      differences.add("privateKey (" + algorithm.display() + " is wanted)");
    }
    CertificateNames found = CertificateNames.of(leaf);
    difference(differences, "commonName", names.commonName(), found.commonName());
    difference(differences, "dnsNames", names.dnsNames(), found.dnsNames());
    difference(differences, "ipAddresses", names.ipAddresses(), found.ipAddresses());
    difference(differences, "uris", names.uris(), found.uris());
    if (!usagesOf(leaf).equals(Usage.fitting(usages, leaf.getPublicKey()))) {
      differences.add("usages");
    }
    if (leaf.getBasicConstraints() >= 0) {
      differences.add("isCA");
    }
    return differences;
  }

  private static void difference(
      List<String> differences, String field, Object wanted, Object found) {
    if (!wanted.equals(found)) {
      differences.add(field + " (" + wanted + " is wanted, " + found + " is there)");
    }
  }

  private static Set<Usage> usagesOf(X509Certificate leaf) {
    Set<Usage> usages = EnumSet.noneOf(Usage.class);
    boolean[] bits = leaf.getKeyUsage();
    if (bits != null && bits[DIGITAL_SIGNATURE_BIT]) {
      usages.add(Usage.DIGITAL_SIGNATURE);
    }
    if (bits != null && bits[KEY_ENCIPHERMENT_BIT]) {
      usages.add(Usage.KEY_ENCIPHERMENT);
    }
    List<String> purposes = purposes(leaf);
    if (purposes.contains(SERVER_AUTH_OID)) {
      usages.add(Usage.SERVER_AUTH);
    }
    if (purposes.contains(CLIENT_AUTH_OID)) {
      usages.add(Usage.CLIENT_AUTH);
    }
    return usages;
  }

  private static List<String> purposes(X509Certificate leaf) {
    try {
      List<String> purposes = leaf.getExtendedKeyUsage();
      return purposes == null ? List.of() : purposes;
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }

  private boolean isFromIssuer(List<X509Certificate> chain, List<X509Certificate> anchors) {
    X509Certificate leaf = chain.get(0);
    if (issuer.isEmpty()) {
      return PemCertificates.isSelfSigned(leaf) && anchors.equals(List.of(leaf));
    }
    CertificateAuthority ca = issuer.get();
    return PemCertificates.isIssuedBy(leaf, ca.certificate())
        && anchors.equals(List.of(ca.anchor()))
        && chain.subList(1, chain.size()).equals(ca.intermediates());
  }

  private record Verdicts(X509Certificate leaf, Instant renewAt) {
    SecretVerdict of(Reason reason, String message) {
      return new SecretVerdict(reason, message, Optional.of(leaf), Optional.of(renewAt));
    }
  }
}
