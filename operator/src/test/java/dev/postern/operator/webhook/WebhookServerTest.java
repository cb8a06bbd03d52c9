package dev.postern.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postern.crds.TlsPolicy;
import dev.postern.operator.inject.InjectionSettings;
import dev.postern.operator.inject.Injector;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** AdmissionReviews over real HTTPS on loopback, as the API server sends them. */
@EnableKubernetesMockClient(crud = true)
class WebhookServerTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final InjectionSettings SETTINGS =
      new InjectionSettings(
          "postern-sidecar:1",
          "IfNotPresent",
          "RuntimeDefault",
          "10m",
          "64Mi",
          "128Mi",
          "cluster.local",
          "1");

  private final Loopback tls = new Loopback();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private KubernetesClient kubernetes;
  private WebhookServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    kubernetes
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .withLabels(Map.of("postern.dev/inject", "true"))
                .endMetadata()
                .build())
        .create();
    server =
        WebhookServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            tls.server(),
            new Injector(SETTINGS, new ApiServerFacts(kubernetes)),
            registry);
    client = HttpClient.newBuilder().sslContext(tls.client()).build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void shouldAnswerWithAPatchAndTheSameUid() throws Exception {
    JsonNode answer = MAPPER.readTree(post("/mutate", review("{}")).body());
    assertThat(answer.path("kind").asText()).isEqualTo("AdmissionReview");
    assertThat(answer.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    JsonNode response = answer.path("response");
    assertThat(response.path("uid").asText()).isEqualTo("u-1");
    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
    JsonNode patch = MAPPER.readTree(Base64.getDecoder().decode(response.path("patch").asText()));
    assertThat(patch.findValuesAsText("path")).contains("/spec/initContainers");
    assertThat(registry.scrape())
        .contains("postern_admissions_total{result=\"injected\",webhook=\"mutate\"} 1.0")
        .contains("postern_admission_seconds_count{webhook=\"mutate\"} 1");
  }

  @Test
  void shouldInjectItsOwnPodWhenItWarmsUp() throws Exception {
    new WarmUp(List.of(tls.root()), "shop").ask(server.port());
    assertThat(registry.scrape())
        .contains("postern_admissions_total{result=\"injected\",webhook=\"mutate\"} 3.0")
        .contains("postern_admissions_total{result=\"refused\",webhook=\"validate\"} 3.0");
  }

  @Test
  void shouldCarryWarnings() throws Exception {
    JsonNode answer = MAPPER.readTree(post("/mutate", reviewOfSpec("\"hostPID\":true")).body());
    assertThat(answer.at("/response/warnings/0").asText()).contains("hostPID");
  }

  @Test
  void shouldRefuseWithCodeAndMessageWhenAnAnnotationIsWrong() throws Exception {
    JsonNode answer =
        MAPPER.readTree(post("/mutate", review("{\"postern.dev/ports\":\"80; rm\"}")).body());
    assertThat(answer.at("/response/allowed").asBoolean()).isFalse();
    assertThat(answer.at("/response/status/code").asInt()).isEqualTo(422);
    assertThat(answer.at("/response/status/message").asText()).contains("postern.dev/ports");
    assertThat(answer.at("/response/patch").isMissingNode()).isTrue();
  }

  @Test
  void shouldRefuseTheFinalPodWhenItWasNotInjected() throws Exception {
    JsonNode answer = MAPPER.readTree(post("/validate", review("{}")).body());
    assertThat(answer.at("/response/status/code").asInt()).isEqualTo(403);
    assertThat(answer.at("/response/status/message").asText()).contains("no container postern");
  }

  @Test
  void shouldSeeAPolicyAsSoonAsItIsThere() throws Exception {
    byte[] review = review("{\"postern.dev/policy\":\"strict\"}");
    assertThat(post("/mutate", review).body()).contains("there is no TLSPolicy strict in shop");
    TlsPolicy policy = new TlsPolicy();
    policy.getMetadata().setName("strict");
    policy.getMetadata().setNamespace("shop");
    kubernetes.resource(policy).create();
    assertThat(post("/mutate", review).body()).contains("\"allowed\":true");
  }

  @Test
  void shouldAnswer413WhenTheBodyIsOneByteTooLarge() throws Exception {
    assertThat(post("/mutate", padded(AdmissionHandler.MAX_BODY_BYTES)).statusCode())
        .isEqualTo(200);
    assertThat(post("/mutate", padded(AdmissionHandler.MAX_BODY_BYTES + 1)).statusCode())
        .isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "junk",
        "[]",
        "{}",
        "{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\"}",
        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{}}"
      })
  void shouldAnswer400WhenTheBodyIsNoReview(String body) throws Exception {
    assertThat(post("/mutate", body.getBytes(java.nio.charset.StandardCharsets.UTF_8)).statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({"GET, application/json, 405", "POST, text/plain, 415"})
  void shouldRefuseOtherRequests(String method, String type, int status) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/mutate"))
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(status);
  }

  @Test
  void shouldAnswerOthersWhileSomeStaySilent() throws Exception {
    Socket[] silent = new Socket[50];
    for (int i = 0; i < silent.length; i++) {
      silent[i] = new Socket(InetAddress.getLoopbackAddress(), server.port());
    }
    assertThat(post("/mutate", review("{}")).statusCode()).isEqualTo(200);
    for (Socket socket : silent) {
      socket.close();
    }
  }

  @Test
  void shouldNotBeBelievedByAClientOfAnotherCa() throws Exception {
    try (HttpClient stranger =
        HttpClient.newBuilder().sslContext(new Loopback().client()).build()) {
      HttpRequest request = HttpRequest.newBuilder(uri("/mutate")).build();
      assertThatThrownBy(() -> stranger.send(request, HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void shouldRefuseNewConnectionsWhenClosed() {
    int port = server.port();
    server.close();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(IOException.class);
  }

  private HttpResponse<String> post(String path, byte[] body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(20))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("https://localhost:" + server.port() + path);
  }

  private static byte[] review(String annotations) throws IOException {
    return Reviews.creation(
        "{\"metadata\":{\"name\":\"web\",\"annotations\":"
            + annotations
            + "},\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"x\"}]}}");
  }

  private static byte[] reviewOfSpec(String field) throws IOException {
    return Reviews.creation(
        "{\"metadata\":{\"name\":\"web\"},\"spec\":{"
            + field
            + ",\"containers\":[{\"name\":\"app\",\"image\":\"x\"}]}}");
  }

  /** A valid review, blanks behind it up to the size. */
  private static byte[] padded(int size) throws IOException {
    byte[] review = review("{}");
    byte[] padded = java.util.Arrays.copyOf(review, size);
    java.util.Arrays.fill(padded, review.length, size, (byte) ' ');
    return padded;
  }
}
