package dev.postern.operator.certificate;

import dev.postern.crds.Api;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.DurationText;
import dev.postern.crds.PrivateKeySpec;
import dev.postern.crds.SecretTemplate;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.PkiException;
import dev.postern.operator.pki.RenewalPolicy;
import dev.postern.operator.pki.SecretExpectation;
import dev.postern.operator.pki.Usage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Certificate's spec, read.
 *
 * @param names as they are asked for, or as they were granted
 * @param keepsKey a renewal signs the same key again
 * @param template labels and annotations for the Secret
 */
record CertificateOrder(
    CertificateNames names,
    boolean isCa,
    Set<Usage> usages,
    KeyAlgorithm algorithm,
    Duration lifetime,
    RenewalPolicy renewal,
    boolean keepsKey,
    SecretTemplate template) {

  static final Duration DEFAULT_LIFETIME = Duration.ofDays(90); // 2160h, as in cert-manager
  static final Duration SHORTEST_LIFETIME = Duration.ofMinutes(10);
  static final Duration LONGEST_LIFETIME = Duration.ofDays(3650);

  /**
   * Reads a spec.
   *
   * @param uid the Certificate's
   * @throws PkiException naming the field that cannot be used, and what can
   */
  static CertificateOrder of(CertificateSpec spec, String uid) {
    PrivateKeySpec key =
        spec.privateKey() == null ? new PrivateKeySpec(null, null, null) : spec.privateKey();
    Duration lifetime = duration("duration", spec.duration()).orElse(DEFAULT_LIFETIME);
    if (lifetime.compareTo(SHORTEST_LIFETIME) < 0 || lifetime.compareTo(LONGEST_LIFETIME) > 0) {
      throw new PkiException("duration: " + spec.duration() + " is not between 10m and 87600h");
    }
    Duration renewBefore = duration("renewBefore", spec.renewBefore()).orElse(null);
    if (renewBefore != null && renewBefore.compareTo(lifetime) >= 0) {
      throw new PkiException(
          "renewBefore: " + spec.renewBefore() + " is not shorter than duration, " + lifetime);
    }
    return new CertificateOrder(
        new CertificateNames(spec.commonName(), spec.dnsNames(), spec.ipAddresses(), spec.uris()),
        Boolean.TRUE.equals(spec.isCA()),
        Usage.parse(spec.usages()),
        KeyAlgorithm.of(key.algorithm() == null ? null : key.algorithm().name(), key.size()),
        lifetime,
        new RenewalPolicy(renewBefore, spec.renewBeforePercentage(), uid),
        key.rotationPolicy() == PrivateKeySpec.RotationPolicy.Never,
        template(spec.secretTemplate()));
  }

  /** The same with the names that were granted. */
  CertificateOrder withNames(CertificateNames granted) {
    return new CertificateOrder(
        granted, isCa, usages, algorithm, lifetime, renewal, keepsKey, template);
  }

  /** What the Secret should hold. */
  SecretExpectation expectation(Optional<CertificateAuthority> authority) {
    return new SecretExpectation(names, usages, algorithm, authority, renewal);
  }

  private static Optional<Duration> duration(String field, String text) {
    if (text == null || text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(DurationText.parse(text));
    } catch (IllegalArgumentException e) {
      throw new PkiException(field + ": " + e.getMessage(), e);
    }
  }

  /** Whose Secret it is says our labels and annotations; nobody else may set them. */
  private static SecretTemplate template(SecretTemplate asked) {
    if (asked == null) {
      return new SecretTemplate(Map.of(), Map.of());
    }
    Stream.concat(asked.labels().keySet().stream(), asked.annotations().keySet().stream())
        .filter(it -> it.equals(Api.MANAGED_BY_LABEL) || it.startsWith(Api.GROUP + "/"))
        .findFirst()
        .ifPresent(
            it -> {
              throw new PkiException("secretTemplate: " + it + " is set by the operator alone");
            });
    return asked;
  }
}
