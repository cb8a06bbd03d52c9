package dev.postern.operator.serving;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.RenewalPolicy;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The next step in the life of the webhook's CAs: one a pass, each safe to be interrupted. */
enum AuthorityStep {
  /** Nothing is due. */
  KEEP,
  /** The signing CA is at 2/3 of its life: make its successor, which is trusted from now on. */
  STAGE_NEXT,
  /** The successor has been trusted long enough: it signs from now on. */
  PROMOTE_NEXT,
  /** The predecessor has ended: nothing of it can be served any more. */
  DROP_PREVIOUS;

  static final Duration AUTHORITY_LIFETIME = Duration.ofDays(365);

  /** API servers see a new caBundle within seconds; an hour also outlasts a slow one. */
  static final Duration TRUSTED_BEFORE_SIGNING = Duration.ofHours(1);

  static AuthorityStep decide(WebhookAuthorities authorities, Instant now) {
    if (authorities.previous().map(it -> ended(it, now)).orElse(false)) {
      return DROP_PREVIOUS;
    }
    if (authorities.next().isPresent()) {
      Instant staged = authorities.next().get().certificate().getNotBefore().toInstant();
      return now.isBefore(staged.plus(TRUSTED_BEFORE_SIGNING)) ? KEEP : PROMOTE_NEXT;
    }
    X509Certificate current = authorities.current().certificate();
    Instant renewAt =
        RenewalPolicy.atTwoThirds(current.getSerialNumber().toString())
            .renewAt(current.getNotBefore().toInstant(), current.getNotAfter().toInstant());
    return now.isBefore(renewAt) ? KEEP : STAGE_NEXT;
  }

  WebhookAuthorities apply(WebhookAuthorities before, Instant now) {
    return switch (this) {
      case KEEP -> before;
      case STAGE_NEXT ->
          new WebhookAuthorities(before.current(), Optional.of(create(now)), before.previous());
      case PROMOTE_NEXT ->
          new WebhookAuthorities(
              before.next().orElseThrow(),
              Optional.empty(),
              Optional.of(before.current().certificate()));
      case DROP_PREVIOUS ->
          new WebhookAuthorities(before.current(), before.next(), Optional.empty());
    };
  }

  /** A subject of its own for each, so that a bundle of two is read without guessing. */
  static CertificateAuthority create(Instant now) {
    return CertificateAuthority.selfSigned(
        "Postern webhook CA " + now.truncatedTo(ChronoUnit.SECONDS),
        KeyAlgorithm.ECDSA_P256,
        AUTHORITY_LIFETIME,
        0,
        now);
  }

  private static boolean ended(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotAfter().toInstant());
  }
}
