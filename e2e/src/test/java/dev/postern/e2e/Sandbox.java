package dev.postern.e2e;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A namespace of one test's own on the cluster that KUBECONFIG names; removed at the end. */
final class Sandbox implements AutoCloseable {

  static final long READY_SECONDS = 120;

  private final KubernetesClient client = new KubernetesClientBuilder().build();
  private final String namespace;

  Sandbox(String purpose) {
    this(purpose, Map.of());
  }

  Sandbox(String purpose, Map<String, String> labels) {
    namespace = "e2e-" + purpose + "-" + UUID.randomUUID().toString().substring(0, 6);
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .withLabels(labels)
                .endMetadata()
                .build())
        .create();
  }

  KubernetesClient client() {
    return client;
  }

  String namespace() {
    return namespace;
  }

  /** Applies a manifest of this package's resources; {@code ${name}} is filled from the pairs. */
  List<HasMetadata> apply(String resource, String... pairs) {
    return client
        .load(new ByteArrayInputStream(manifest(resource, pairs).getBytes(StandardCharsets.UTF_8)))
        .inNamespace(namespace)
        .serverSideApply();
  }

  String manifest(String resource, String... pairs) {
    String text = read(resource).replace("${namespace}", namespace).replace("${image}", image());
    for (int i = 0; i < pairs.length; i += 2) {
      text = text.replace("${" + pairs[i] + "}", pairs[i + 1]);
    }
    if (text.contains("${")) {
      throw new IllegalArgumentException(resource + ": a placeholder is left: " + text);
    }
    return text;
  }

  /** The pod with label app=NAME, once it is ready. */
  Pod readyPod(String app) {
    return Awaitility.await("a ready pod of " + app)
        .atMost(Duration.ofSeconds(READY_SECONDS))
        .until(() -> firstReady(app), Optional::isPresent)
        .orElseThrow();
  }

  private Optional<Pod> firstReady(String app) {
    return client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
        .filter(Readiness::isPodReady)
        .findFirst();
  }

  /** A client certificate issued for service account {@code client} of this namespace. */
  MutualTls clientIdentity() {
    apply("client-identity.yaml");
    return MutualTls.from(secret("client-tls"));
  }

  Map<String, String> secret(String name) {
    return client
        .secrets()
        .inNamespace(namespace)
        .withName(name)
        .waitUntilCondition(
            secret -> secret != null && secret.getData() != null, READY_SECONDS, TimeUnit.SECONDS)
        .getData();
  }

  /** The sidecar's log so far. */
  String sidecarLog(Pod pod) {
    return client
        .pods()
        .inNamespace(namespace)
        .withName(pod.getMetadata().getName())
        .inContainer("postern")
        .getLog();
  }

  @Override
  public void close() {
    client.namespaces().withName(namespace).delete();
    client.close();
  }

  private static String image() {
    return System.getenv().getOrDefault("POSTERN_SAMPLES_IMAGE", "localhost/postern-samples:dev");
  }

  private static String read(String resource) {
    try (InputStream in = Sandbox.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no such manifest: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
