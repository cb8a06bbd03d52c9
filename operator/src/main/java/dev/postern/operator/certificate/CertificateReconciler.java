package dev.postern.operator.certificate;

import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.CertificateStatus;
import dev.postern.crds.Conditions;
import dev.postern.operator.issuer.Issuers;
import dev.postern.operator.pki.PkiException;
import dev.postern.operator.pki.SecretVerdict;
import dev.postern.operator.status.Events;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.PrimaryUpdateAndCacheUtils;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one Secret for each Certificate: observes, decides, acts. */
public final class CertificateReconciler implements Reconciler<Certificate> {

  private static final Logger LOG = LoggerFactory.getLogger(CertificateReconciler.class);

  /** For what no event tells of: a foreign Secret that goes, a Service that comes. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  private static final Duration LOOK_AGAIN_AT_ONCE = Duration.ofMillis(200);

  private final Issuers issuers;
  private final NameLookup names;
  private final CertificateDecision decisions;
  private final KeySecrets secrets;
  private final Events events;
  private final MeterRegistry meters;
  private final InstantSource clock;
  private final BooleanSupplier leading;
  private final boolean everywhere;

  /**
   * @param everywhere all namespaces are watched, not a list
   * @param leading asked before signing and before writing
   */
  public CertificateReconciler(
      KubernetesClient client,
      Issuers issuers,
      Events events,
      MeterRegistry meters,
      String trustDomain,
      String clusterDomain,
      boolean everywhere,
      InstantSource clock,
      BooleanSupplier leading) {
    this.issuers = issuers;
    this.names = new NameLookup(client, trustDomain);
    this.decisions = new CertificateDecision(trustDomain, clusterDomain);
    this.secrets = new KeySecrets(client, leading);
    this.events = events;
    this.meters = meters;
    this.clock = clock;
    this.leading = leading;
    this.everywhere = everywhere;
  }

  @Override
  public List<EventSource<?, Certificate>> prepareEventSources(
      EventSourceContext<Certificate> context) {
    return new CertificateEventSources(context).all(everywhere);
  }

  @Override
  public UpdateControl<Certificate> reconcile(
      Certificate certificate, Context<Certificate> context) {
    if (!leading.getAsBoolean()) {
      return UpdateControl.<Certificate>noUpdate().rescheduleAfter(LOOK_AGAIN);
    }
    Instant now = clock.instant();
    Secret read = secrets.read(certificate);
    HeldSecret held = secrets.held(certificate, read);
    Look look =
        new Look(certificate, context, CertificateConditions.of(certificate, now), read, held, now);
    return act(look, decisions.decide(observed(look)));
  }

  private Observation observed(Look look) {
    CertificateSpec spec = look.certificate().getSpec();
    String namespace = look.certificate().getMetadata().getNamespace();
    return new Observation(
        spec,
        look.certificate().getMetadata().getUid(),
        issuers.find(namespace, spec.issuerRef()),
        names.requester(look.certificate()),
        look.held(),
        look.now());
  }

  private UpdateControl<Certificate> act(Look look, Decision decision) {
    return switch (decision) {
      case Decision.Keep keep ->
          update(look, look.conditions().kept(keep.verdict()), untilRenewal(look, keep.verdict()));
      case Decision.Issue issue -> issue(look, issue);
      case Decision.Wait wait -> update(look, look.waiting(wait), LOOK_AGAIN);
      case Decision.Refuse refuse -> update(look, look.conditions().refused(refuse), LOOK_AGAIN);
      case Decision.Yield yield -> update(look, look.conditions().refused(yield), LOOK_AGAIN);
      case Decision.Release release -> release(look, release);
    };
  }

  private UpdateControl<Certificate> issue(Look look, Decision.Issue issue) {
    Signing.Signed signed;
    try {
      signed = Signing.sign(issue, look.held().data(), look.now());
    } catch (PkiException e) {
      Decision wait = new Decision.Wait(Conditions.ISSUER_NOT_READY, e.getMessage());
      return update(look, look.waiting(wait), LOOK_AGAIN);
    }
    try {
      secrets.write(look.certificate(), look.read(), signed.data(), issue.order().template());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return UpdateControl.<Certificate>noUpdate().rescheduleAfter(LOOK_AGAIN_AT_ONCE);
      }
      throw e;
    }
    tell(look.certificate(), issue, signed);
    return update(
        look, look.conditions().issued(signed.verdict()), untilRenewal(look, signed.verdict()));
  }

  private void tell(Certificate certificate, Decision.Issue issue, Signing.Signed signed) {
    String message =
        "%s (%s): issued serial number %x, %s"
            .formatted(
                issue.reason(),
                issue.message(),
                signed.verdict().leaf().orElseThrow().getSerialNumber(),
                signed.verdict().message());
    LOG.info(
        "Certificate {}/{}: {}",
        certificate.getMetadata().getNamespace(),
        certificate.getMetadata().getName(),
        message);
    events.record(certificate, Events.Type.Normal, Conditions.ISSUED, message);
    meters.counter("postern.certificates.issued", "reason", issue.reason()).increment();
  }

  private UpdateControl<Certificate> release(Look look, Decision.Release release) {
    LOG.info("{}", release.message());
    secrets.delete(look.read());
    return UpdateControl.<Certificate>noUpdate().rescheduleAfter(LOOK_AGAIN_AT_ONCE);
  }

  /** Writes the status through the cache, so that the next look counts on from this one. */
  private UpdateControl<Certificate> update(Look look, CertificateStatus status, Duration again) {
    look.conditions()
        .news(status)
        .filter(it -> !"True".equals(it.getStatus()))
        .ifPresent(
            it ->
                events.record(
                    look.certificate(), Events.Type.Warning, it.getReason(), it.getMessage()));
    if (!status.equals(look.certificate().getStatus())) {
      PrimaryUpdateAndCacheUtils.ssaPatchStatusAndCacheResource(
          look.certificate(), withStatus(look.certificate(), status), look.context());
    }
    return UpdateControl.<Certificate>noUpdate()
        .rescheduleAfter(again.isPositive() ? again : LOOK_AGAIN_AT_ONCE);
  }

  private static Duration untilRenewal(Look look, SecretVerdict verdict) {
    return Duration.between(look.now(), verdict.renewAt().orElseThrow());
  }

  /** Only what is patched, as server-side apply wants it. */
  private static Certificate withStatus(Certificate certificate, CertificateStatus status) {
    Certificate patch = new Certificate();
    patch.getMetadata().setName(certificate.getMetadata().getName());
    patch.getMetadata().setNamespace(certificate.getMetadata().getNamespace());
    patch.setStatus(status);
    return patch;
  }

  /** One look at one Certificate: what was read for it. */
  private record Look(
      Certificate certificate,
      Context<Certificate> context,
      CertificateConditions conditions,
      Secret read,
      HeldSecret held,
      Instant now) {

    CertificateStatus waiting(Decision decision) {
      return conditions.waiting(decision, held.holder() == HeldSecret.Holder.THIS);
    }
  }
}
