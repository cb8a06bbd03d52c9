package dev.postern.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.operator.health.HealthServer;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looked at through /healthz/ready, as the kubelet does. */
@EnableKubernetesMockClient(crud = true)
class ServingReadinessTest {

  private static final byte[] OURS = "ours".getBytes(StandardCharsets.UTF_8);

  private KubernetesClient client;
  private ServingReadiness readiness;
  private HealthServer health;

  @BeforeEach
  void start() throws Exception {
    readiness =
        new ServingReadiness(
            client,
            "postern",
            bundle -> Arrays.equals(OURS, bundle) ? Optional.empty() : Optional.of("not ours"));
    readiness.started();
    health =
        HealthServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            readiness,
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
  }

  @AfterEach
  void stop() {
    health.close();
  }

  @Test
  void shouldBeReadyWhenEveryBundleVerifiesOurLeaf() throws Exception {
    mutating("ours", "ours");
    validating("ours");
    assertThat(get("/healthz/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void shouldNotBeReadyWhenOneBundleIsAnothers() throws Exception {
    mutating("ours", "theirs");
    validating("ours");
    HttpResponse<String> answer = get("/healthz/ready");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("not ours");
  }

  @Test
  void shouldNotBeReadyWhenABundleIsNotYetThere() throws Exception {
    mutating("ours");
    validating((String) null);
    assertThat(get("/healthz/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void shouldNotBeReadyWhenAConfigurationIsMissing() throws Exception {
    mutating("ours");
    assertThat(get("/healthz/ready").body()).contains("missing");
  }

  @Test
  void shouldNotBeReadyWhenItHasNotAnsweredItselfYet() {
    mutating("ours");
    validating("ours");
    ServingReadiness cold = new ServingReadiness(client, "postern", _ -> Optional.empty());
    assertThat(cold.get()).contains("warming up");
    cold.started();
    assertThat(cold.get()).isEmpty();
  }

  @Test
  void shouldBeLiveButNotReadyWhenStopping() throws Exception {
    mutating("ours");
    validating("ours");
    readiness.stopping();
    assertThat(get("/healthz/ready").statusCode()).isEqualTo(503);
    assertThat(get("/healthz/live").statusCode()).isEqualTo(200);
  }

  private void mutating(String... bundles) {
    var builder =
        new MutatingWebhookConfigurationBuilder()
            .withNewMetadata()
            .withName("postern")
            .endMetadata();
    for (String bundle : bundles) {
      builder
          .addNewWebhook()
          .withNewClientConfig()
          .withCaBundle(base64(bundle))
          .endClientConfig()
          .endWebhook();
    }
    client.resource(builder.build()).create();
  }

  private void validating(String bundle) {
    client
        .resource(
            new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("postern")
                .endMetadata()
                .addNewWebhook()
                .withNewClientConfig()
                .withCaBundle(base64(bundle))
                .endClientConfig()
                .endWebhook()
                .build())
        .create();
  }

  private static String base64(String text) {
    return text == null
        ? null
        : Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> get(String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://localhost:" + health.port() + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
