package dev.postern.operator.main;

import dev.postern.operator.health.HealthServer;
import dev.postern.operator.leadership.Leadership;
import dev.postern.operator.options.ReleaseOptions;
import dev.postern.operator.workload.WorkloadSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postern-operator operator}: reconciles while it leads, until SIGTERM. */
@Command(
    name = "operator",
    description = "Reconciles issuers, certificates and injected workloads.",
    mixinStandardHelpOptions = true)
final class OperatorCommand implements Callable<Integer> {

  /** Exit status for a wrong option or a port that is taken (sysexits.h). */
  static final int EX_CONFIG = 78;

  private static final Logger LOG = LoggerFactory.getLogger(OperatorCommand.class);
  private static final String LEASE_SUFFIX = "-operator";
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @Mixin private ReleaseOptions options;

  @Option(
      names = "--watch-namespaces",
      defaultValue = "",
      description = "namespaces to look at, between commas; empty: all")
  private String watchNamespaces;

  @Option(
      names = "--identity-duration",
      defaultValue = "24h",
      description = "life of the pods' own identities (${DEFAULT-VALUE})")
  private String identityDuration;

  @Option(
      names = "--min-version-floor",
      defaultValue = "TLS1.2",
      description = "oldest TLS version that a policy may allow (${DEFAULT-VALUE})")
  private String minVersionFloor;

  @Option(
      names = "--mode-floor",
      defaultValue = "",
      description = "loosest mode that a policy may have; empty: any")
  private String modeFloor;

  @Option(
      names = "--probe-port",
      defaultValue = "8081",
      description = "health and metrics over HTTP (${DEFAULT-VALUE})")
  private int probePort;

  @Option(
      names = "--leader-elect",
      defaultValue = "true",
      arity = "0..1",
      fallbackValue = "true",
      description = "stand for election before anything is written (${DEFAULT-VALUE})")
  private boolean leaderElect;

  @Option(
      names = "--identity",
      defaultValue = "${env:POD_NAME:-}",
      description = "name of this replica in the Lease (environment POD_NAME)")
  private String identity;

  private volatile Reconcilers reconcilers;

  @Override
  public Integer call() throws InterruptedException {
    options.applyLogging();
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      run(client);
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      return EX_CONFIG;
    }
  }

  private void run(KubernetesClient client) throws IOException, InterruptedException {
    OperatorSettings settings = settings();
    PrometheusMeterRegistry registry = registry();
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch asked = onTermination(stopped);
    try (HealthServer health =
            HealthServer.start(new InetSocketAddress(probePort), this::unreadiness, registry);
        Leadership leadership = stand(client, settings, registry)) {
      LOG.info("health on port {}", health.port());
      registry.gauge("postern.leader", leadership, it -> it.getAsBoolean() ? 1 : 0);
      asked.await();
      LOG.info("stopping");
      if (reconcilers != null) {
        reconcilers.close();
      }
    } finally {
      stopped.countDown();
    }
  }

  private Leadership stand(
      KubernetesClient client, OperatorSettings settings, PrometheusMeterRegistry registry) {
    if (!leaderElect) {
      Leadership alone = Leadership.alone();
      lead(client, settings, registry, alone);
      return alone;
    }
    if (identity.isEmpty()) {
      throw new IllegalArgumentException("--identity: set it, or POD_NAME in the environment");
    }
    return Leadership.stand(
        client,
        settings.names().namespace(),
        settings.names().release() + LEASE_SUFFIX,
        identity,
        leadership -> lead(client, settings, registry, leadership),
        OperatorCommand::lost);
  }

  private void lead(
      KubernetesClient client,
      OperatorSettings settings,
      PrometheusMeterRegistry registry,
      Leadership leadership) {
    try {
      LOG.info("leading");
      reconcilers =
          Reconcilers.start(client, settings, registry, leadership, InstantSource.system());
    } catch (RuntimeException e) {
      LOG.error("cannot start", e);
      Runtime.getRuntime().halt(1);
    }
  }

  /** Ends at once, without hooks: from now on another replica writes. */
  private static void lost() {
    LOG.error("lost the lease; ending, to begin anew");
    Runtime.getRuntime().halt(1);
  }

  /** A replica that stands by is ready for that. */
  private Optional<String> unreadiness() {
    Reconcilers leading = reconcilers;
    return leading == null ? Optional.empty() : leading.unreadiness();
  }

  /** Counts down at SIGTERM; the process then ends with status 0 when {@code stopped} has too. */
  private static CountDownLatch onTermination(CountDownLatch stopped) {
    CountDownLatch asked = new CountDownLatch(1);
    Runnable stop =
        () -> {
          if (stopped.getCount() == 0) {
            return; // ending by itself, with a status of its own
          }
          asked.countDown();
          try {
            stopped.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          Runtime.getRuntime().halt(0);
        };
    Runtime.getRuntime().addShutdownHook(new Thread(stop, "stop"));
    return asked;
  }

  private OperatorSettings settings() {
    return new OperatorSettings(
        options.names(),
        OperatorSettings.namespaces(watchNamespaces),
        new WorkloadSettings(
            options.trustDomain(),
            options.clusterDomain(),
            options.defaultIssuer(),
            OperatorSettings.identityDuration(identityDuration),
            OperatorSettings.modeFloor(modeFloor),
            OperatorSettings.minVersionFloor(minVersionFloor),
            PATIENCE));
  }

  private static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(new PlainTimers());
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    return registry;
  }
}
