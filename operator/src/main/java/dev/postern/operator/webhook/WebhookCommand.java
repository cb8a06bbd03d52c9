package dev.postern.operator.webhook;

import dev.postern.operator.health.HealthServer;
import dev.postern.operator.inject.InjectionSettings;
import dev.postern.operator.inject.Injector;
import dev.postern.operator.options.ReleaseOptions;
import dev.postern.operator.serving.ReleaseNames;
import dev.postern.operator.serving.ReloadingServerIdentity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postern-operator webhook}: serves until SIGTERM, then stops in order and exits 0. */
@Command(
    name = "webhook",
    description = "Serves the admission webhooks.",
    mixinStandardHelpOptions = true)
public final class WebhookCommand implements Callable<Integer> {

  /** Exit status for a wrong option or a port that is taken (sysexits.h, EX_CONFIG). */
  private static final int EX_CONFIG = 78;

  private static final Logger LOG = LoggerFactory.getLogger(WebhookCommand.class);

  /** The API server waits 5 s for us, so two questions of 2 s at most fit in. */
  private static final int REQUEST_TIMEOUT_MS = 2_000;

  /** Until the Service's rules on every node leave this pod out. */
  private static final long LEAVE_MS = 3_000;

  @Mixin private ReleaseOptions options;

  @Option(names = "--port", defaultValue = "9443", description = "HTTPS (${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--tls-dir",
      defaultValue = "/var/run/postern/webhook-tls",
      description = "folder with tls.crt and tls.key (${DEFAULT-VALUE})")
  private Path tlsDirectory;

  @Option(
      names = "--probe-port",
      defaultValue = "8081",
      description = "health and metrics over HTTP (${DEFAULT-VALUE})")
  private int probePort;

  @Option(names = "--sidecar-image", required = true, description = "image of the sidecar")
  private String sidecarImage;

  @Option(names = "--image-pull-policy", defaultValue = "IfNotPresent")
  private String imagePullPolicy;

  @Option(
      names = "--seccomp-profile",
      defaultValue = "RuntimeDefault",
      description = "of the sidecar: RuntimeDefault, Unconfined or Localhost/PATH")
  private String seccompProfile;

  @Option(names = "--sidecar-cpu-request", defaultValue = "10m")
  private String cpuRequest;

  @Option(names = "--sidecar-memory-request", defaultValue = "64Mi")
  private String memoryRequest;

  @Option(names = "--sidecar-memory-limit", defaultValue = "128Mi")
  private String memoryLimit;

  @Override
  public Integer call() throws InterruptedException {
    options.applyLogging();
    try (KubernetesClient client = client()) {
      serve(client);
      return 0;
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      return EX_CONFIG;
    }
  }

  private void serve(KubernetesClient client) throws IOException, InterruptedException {
    InjectionSettings settings = settings();
    PrometheusMeterRegistry registry = registry();
    ReloadingServerIdentity identity =
        new ReloadingServerIdentity(tlsDirectory, InstantSource.system());
    ServingReadiness readiness = readiness(client, identity);
    Injector injector = new Injector(settings, new ApiServerFacts(client));
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch asked = onTermination(stopped);
    try (HealthServer health =
            HealthServer.start(at("--probe-port", probePort), readiness, registry);
        WebhookServer server =
            WebhookServer.start(at("--port", port), identity.sslContext(), injector, registry)) {
      LOG.info("serving on port {}, health on port {}", server.port(), health.port());
      warmUp(identity, server.port());
      readiness.started();
      asked.await();
      readiness.stopping();
      LOG.info("stopping");
      Thread.sleep(LEAVE_MS);
    } finally {
      stopped.countDown();
    }
  }

  /** Without success the webhook serves all the same, only slower at first. */
  private void warmUp(ReloadingServerIdentity identity, int serverPort) {
    if (identity.chain().isEmpty()) {
      return;
    }
    try {
      new WarmUp(identity.chain(), options.names().namespace()).ask(serverPort);
    } catch (IOException | GeneralSecurityException e) {
      LOG.warn("the server did not answer itself: {}", e.toString());
    }
  }

  private ServingReadiness readiness(KubernetesClient client, ReloadingServerIdentity identity) {
    ReleaseNames names = options.names();
    String dnsName = names.webhookDnsNames().get(1);
    return new ServingReadiness(
        client, names.webhookConfiguration(), bundle -> identity.ownLeafVerifies(bundle, dnsName));
  }

  /** Counts down at SIGTERM; the JVM then waits until {@code stopped} has counted down too. */
  private static CountDownLatch onTermination(CountDownLatch stopped) {
    CountDownLatch asked = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  asked.countDown();
                  try {
                    stopped.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "stop"));
    return asked;
  }

  private InjectionSettings settings() {
    return new InjectionSettings(
        sidecarImage,
        imagePullPolicy,
        seccompProfile,
        cpuRequest,
        memoryRequest,
        memoryLimit,
        options.trustDomain(),
        version());
  }

  private static String version() {
    return Optional.ofNullable(WebhookCommand.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }

  private static InetSocketAddress at(String option, int port) {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException(option + ": " + port + " is no port");
    }
    return new InetSocketAddress(port);
  }

  private static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    return registry;
  }

  private static KubernetesClient client() {
    Config config =
        new ConfigBuilder()
            .withRequestTimeout(REQUEST_TIMEOUT_MS)
            .withConnectionTimeout(REQUEST_TIMEOUT_MS)
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
