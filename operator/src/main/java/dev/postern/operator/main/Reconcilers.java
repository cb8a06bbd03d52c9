package dev.postern.operator.main;

import dev.postern.operator.certificate.CertificateReconciler;
import dev.postern.operator.certificate.SecretSweep;
import dev.postern.operator.issuer.ClusterIssuerReconciler;
import dev.postern.operator.issuer.IssuerReconciler;
import dev.postern.operator.issuer.Issuers;
import dev.postern.operator.serving.FirstAuthority;
import dev.postern.operator.serving.ServingException;
import dev.postern.operator.serving.WebhookServing;
import dev.postern.operator.status.Events;
import dev.postern.operator.workload.WorkloadController;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that the leader runs, from the start of its term to its end. */
final class Reconcilers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Reconcilers.class);
  private static final int THREADS = 4;
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration SWEEP = Duration.ofSeconds(60);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofMinutes(30);

  private final Operator operator;
  private final WorkloadController workloads;
  private final WebhookServing serving;
  private final FirstAuthority firstAuthority;
  private final InstantSource clock;
  private final ScheduledExecutorService upkeep =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("upkeep").daemon().factory());
  private volatile Optional<String> noFirstAuthority = Optional.of("the first CA is not there yet");

  private Reconcilers(
      Operator operator,
      WorkloadController workloads,
      WebhookServing serving,
      FirstAuthority firstAuthority,
      InstantSource clock) {
    this.operator = operator;
    this.workloads = workloads;
    this.serving = serving;
    this.firstAuthority = firstAuthority;
    this.clock = clock;
  }

  /**
   * Starts all of it; returns when the caches of Certificates and issuers are filled.
   *
   * @param leading asked right before each write
   */
  static Reconcilers start(
      KubernetesClient client,
      OperatorSettings settings,
      MeterRegistry registry,
      BooleanSupplier leading,
      InstantSource clock) {
    Events events = new Events(client, clock);
    Issuers issuers = new Issuers(client, settings.names().namespace(), clock);
    Reconcilers started =
        new Reconcilers(
            operator(client, settings, registry, issuers, events, clock, leading),
            new WorkloadController(
                client,
                settings.namespaces(),
                issuers,
                events,
                settings.workloads(),
                clock,
                leading),
            new WebhookServing(client, settings.names(), leading, clock),
            new FirstAuthority(client, settings.names(), leading),
            clock);
    started.serving.start();
    started.upkeep.execute(started::ensureFirstAuthority);
    started.operator.start();
    SecretSweep sweep = new SecretSweep(client, settings.namespaces(), leading);
    var _ =
        started.upkeep.scheduleWithFixedDelay(
            sweep, SWEEP.toSeconds(), SWEEP.toSeconds(), TimeUnit.SECONDS);
    LOG.info("reconciling");
    return started;
  }

  private static Operator operator(
      KubernetesClient client,
      OperatorSettings settings,
      MeterRegistry registry,
      Issuers issuers,
      Events events,
      InstantSource clock,
      BooleanSupplier leading) {
    Operator operator =
        new Operator(
            overrider ->
                overrider
                    .withKubernetesClient(client)
                    .withCloseClientOnStop(false)
                    .withStopOnInformerErrorDuringStartup(false)
                    .withConcurrentReconciliationThreads(THREADS)
                    .withMetrics(MicrometerMetrics.withoutPerResourceMetrics(registry)));
    List<String> namespaces = settings.namespaces();
    operator.register(
        new ClusterIssuerReconciler(issuers, events, clock, leading),
        it -> configure(it, List.of()));
    operator.register(
        new IssuerReconciler(issuers, events, clock, leading), it -> configure(it, namespaces));
    operator.register(
        new CertificateReconciler(
            client,
            issuers,
            events,
            registry,
            settings.workloads().trustDomain(),
            settings.workloads().clusterDomain(),
            namespaces.isEmpty(),
            clock,
            leading),
        it -> configure(it, namespaces));
    return operator;
  }

  private static <T extends HasMetadata> void configure(
      ControllerConfigurationOverrider<T> controller, List<String> namespaces) {
    controller
        .withRetry(
            new GenericRetry()
                .withoutMaxAttempts()
                .setInitialInterval(RETRY)
                .setMaxInterval(LONGEST_RETRY.toMillis()))
        .withReconciliationMaxInterval(LOOK_AGAIN);
    if (namespaces.isEmpty()) {
      controller.watchingAllNamespaces();
    } else {
      controller.settingNamespaces(new HashSet<>(namespaces));
    }
  }

  /** Once in a term; again until it has worked. */
  private void ensureFirstAuthority() {
    try {
      firstAuthority.ensure(clock.instant());
      noFirstAuthority = Optional.empty();
    } catch (ServingException | KubernetesClientException e) {
      LOG.warn("the first CA: {}", e.getMessage());
      noFirstAuthority = Optional.of(String.valueOf(e.getMessage()));
      var _ = upkeep.schedule(this::ensureFirstAuthority, RETRY.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Why not all of it works yet, or empty. */
  Optional<String> unreadiness() {
    if (!workloads.synced()) {
      return Optional.of("the caches of pods and policies are not filled yet");
    }
    if (!operator.getRuntimeInfo().allEventSourcesAreHealthy()) {
      return Optional.of("a watch on issuers or certificates does not work");
    }
    return noFirstAuthority.or(serving::failure);
  }

  @Override
  public void close() {
    upkeep.shutdownNow();
    workloads.close();
    serving.stop();
    operator.stop();
  }
}
