package dev.postern.operator.certificate;

import dev.postern.crds.Conditions;
import dev.postern.operator.issuer.IssuerState;
import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.NameDecision;
import dev.postern.operator.pki.NamePolicy;
import dev.postern.operator.pki.PkiException;
import dev.postern.operator.pki.SecretVerdict;

/**
 * Decides about a Certificate: a pure function of what was observed.
 *
 * <p>Names are decided here, in the signer, at every look (security.md 1): whatever the admission
 * webhook let through, and also for a certificate that was issued before.
 */
record CertificateDecision(String trustDomain, String clusterDomain) {

  Decision decide(Observation observation) {
    CertificateOrder order;
    try {
      order = CertificateOrder.of(observation.spec(), observation.uid());
    } catch (PkiException e) {
      return new Decision.Refuse(Conditions.INVALID_SPEC, e.getMessage());
    }
    return switch (observation.issuer()) {
      case IssuerState.Missing missing -> new Decision.Wait(missing.reason(), missing.message());
      case IssuerState.NotReady notReady ->
          new Decision.Wait(Conditions.ISSUER_NOT_READY, notReady.message());
      case IssuerState.Ready ready -> decideNames(observation, order, ready);
    };
  }

  private Decision decideNames(
      Observation observation, CertificateOrder order, IssuerState.Ready issuer) {
    NamePolicy policy = new NamePolicy(issuer.scope(), trustDomain, clusterDomain, issuer.allow());
    return switch (policy.decide(observation.requester(), order.names(), order.isCa())) {
      case NameDecision.Denied denied -> new Decision.Refuse(Conditions.DENIED, denied.message());
      case NameDecision.Allowed(CertificateNames granted) ->
          decideSecret(observation, order.withNames(granted), issuer);
    };
  }

  private static Decision decideSecret(
      Observation observation, CertificateOrder order, IssuerState.Ready issuer) {
    String secret = "Secret " + observation.spec().secretName();
    return switch (observation.secret().holder()) {
      case NOBODY, THIS -> decideContent(observation, order, issuer);
      case ANOTHER ->
          new Decision.Yield(
              secret
                  + " belongs to Certificate "
                  + observation.secret().owner()
                  + "; choose another secretName");
      case FOREIGN ->
          new Decision.Yield(
              secret
                  + " was not made for a Certificate and stays untouched; delete it or choose"
                  + " another secretName");
      case ORPHAN ->
          new Decision.Release(secret + " was made for a Certificate that is gone; making it anew");
    };
  }

  private static Decision decideContent(
      Observation observation, CertificateOrder order, IssuerState.Ready issuer) {
    SecretVerdict verdict =
        order.expectation(issuer.authority()).check(observation.secret().data(), observation.now());
    return verdict.reason().needsIssuance()
        ? new Decision.Issue(order, issuer, verdict)
        : new Decision.Keep(verdict);
  }
}
