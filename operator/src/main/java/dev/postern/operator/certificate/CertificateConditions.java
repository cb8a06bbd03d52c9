package dev.postern.operator.certificate;

import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateStatus;
import dev.postern.crds.Conditions;
import dev.postern.operator.pki.SecretVerdict;
import dev.postern.operator.status.Observed;
import io.fabric8.kubernetes.api.model.Condition;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Says in a Certificate's status what was decided and done. */
record CertificateConditions(CertificateStatus before, Observed observed) {

  static CertificateConditions of(Certificate certificate, Instant now) {
    CertificateStatus status = certificate.getStatus();
    CertificateStatus before =
        status == null ? new CertificateStatus(null, null, null, null, null, null) : status;
    Long generation = certificate.getMetadata().getGeneration();
    return new CertificateConditions(before, new Observed(before.conditions(), generation, now));
  }

  /** The Secret is as it should be. */
  CertificateStatus kept(SecretVerdict verdict) {
    return withLeaf(verdict, before.revision() == null ? Long.valueOf(1) : before.revision());
  }

  /** A new certificate was written. */
  CertificateStatus issued(SecretVerdict verdict) {
    return withLeaf(verdict, before.revision() == null ? 1 : before.revision() + 1);
  }

  /** It cannot be, for a reason that only the spec or the cluster can mend. */
  CertificateStatus refused(Decision decision) {
    return withConditions(
        observed.condition(Conditions.READY, false, decision.reason(), decision.message()),
        observed.condition(Conditions.ISSUING, false, decision.reason(), decision.message()));
  }

  /**
   * Something has to happen first. What was issued stays good until it ends.
   *
   * @param stillHeld the Secret is there and this Certificate's
   */
  CertificateStatus waiting(Decision decision, boolean stillHeld) {
    Condition ready =
        observed
            .find(Conditions.READY)
            .filter(it -> stillHeld && "True".equals(it.getStatus()) && stillValid())
            .orElseGet(
                () ->
                    observed.condition(
                        Conditions.READY, false, decision.reason(), decision.message()));
    return withConditions(
        ready, observed.condition(Conditions.ISSUING, true, decision.reason(), decision.message()));
  }

  private boolean stillValid() {
    return before.notAfter() != null && observed.now().isBefore(Instant.parse(before.notAfter()));
  }

  private CertificateStatus withLeaf(SecretVerdict verdict, Long revision) {
    X509Certificate leaf = verdict.leaf().orElseThrow();
    List<Condition> conditions =
        List.of(
            observed.condition(
                Conditions.READY, true, verdict.reason().condition(), verdict.message()),
            observed.condition(
                Conditions.ISSUING, false, Conditions.ISSUED, "the Secret is up to date"));
    return new CertificateStatus(
        conditions,
        leaf.getNotBefore().toInstant().toString(),
        leaf.getNotAfter().toInstant().toString(),
        verdict.renewAt().map(Instant::toString).orElse(null),
        leaf.getSerialNumber().toString(16),
        revision);
  }

  private CertificateStatus withConditions(Condition ready, Condition issuing) {
    return new CertificateStatus(
        List.of(ready, issuing),
        before.notBefore(),
        before.notAfter(),
        before.renewalTime(),
        before.serialNumber(),
        before.revision());
  }

  /** The Ready condition of a status when it says something new. */
  Optional<Condition> news(CertificateStatus after) {
    return after.conditions().stream()
        .filter(it -> it.getType().equals(Conditions.READY))
        .filter(observed::isNews)
        .findFirst();
  }
}
