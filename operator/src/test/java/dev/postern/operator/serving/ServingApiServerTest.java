package dev.postern.operator.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.crds.ClusterIssuer;
import dev.postern.operator.apiserver.ApiServerExtension;
import dev.postern.operator.pki.PemCertificates;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What only a real API server decides: who was first, and whose version is stale. */
@ExtendWith(ApiServerExtension.class)
class ServingApiServerTest {
  private static final ReleaseNames RELEASE =
      new ReleaseNames("serving", "racing", "cluster.local");
  private static final Duration SOON = Duration.ofSeconds(5); // security.md 17
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private static KubernetesClient client;

  @BeforeAll
  static void install(KubernetesClient apiServer) {
    client = apiServer;
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName("serving").endMetadata().build())
        .create();
    client
        .resource(
            new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("racing")
                .endMetadata()
                .addNewWebhook()
                .withName("pod.postern.dev")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("None")
                .withNewClientConfig()
                .withNewService("serving", "racing-webhook", "/mutate", 443)
                .endClientConfig()
                .endWebhook()
                .build())
        .create();
  }

  @AfterAll
  static void remove() {
    if (client != null) {
      client.resource(configuration()).delete();
      client.resources(ClusterIssuer.class).withName("racing").delete();
    }
  }

  @Test
  void shouldEndWithOneFirstAuthorityWhenReplicasRace() throws Exception {
    Callable<X509Certificate> replica =
        () -> new FirstAuthority(client, RELEASE, () -> true).ensure(Instant.now()).certificate();

    assertThat(atOnce(replica).stream().distinct()).hasSize(1);
  }

  @Test
  void shouldNotOverwriteWhenSomebodyWroteAfterItWasRead() {
    OwnSecret own = new OwnSecret(client, "serving", "stale", () -> true);
    Secret read = own.createOrRead(authority());
    Secret written = own.replace(read, authority());

    assertThatThrownBy(() -> own.replace(read, authority()))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    assertThat(own.read().getData()).isEqualTo(written.getData());
  }

  @Test
  void shouldPutTheBundleBackWithinFiveSecondsWhenTwoReplicasThinkThatTheyLead() {
    try (WebhookServing one = serving();
        WebhookServing other = serving()) {
      one.start();
      other.start();
      await()
          .atMost(SETTLED)
          .until(() -> one.failure().isEmpty() && other.failure().isEmpty() && verifies());

      MutatingWebhookConfiguration blanked = configuration();
      blanked.getWebhooks().get(0).getClientConfig().setCaBundle(null);
      client.resource(blanked).update();

      await().atMost(SOON).until(ServingApiServerTest::verifies);
    }
  }

  private static WebhookServing serving() {
    return new WebhookServing(client, RELEASE, () -> true, InstantSource.system());
  }

  private static Map<String, byte[]> authority() {
    return WebhookAuthorities.first(AuthorityStep.create(Instant.now())).write();
  }

  private static boolean verifies() {
    Secret leaf = client.secrets().inNamespace("serving").withName("racing-webhook-tls").get();
    String bundle = configuration().getWebhooks().get(0).getClientConfig().getCaBundle();
    return leaf != null
        && bundle != null
        && LeafVerification.failure(
                PemCertificates.readChain("tls.crt", OwnSecret.decode(leaf).get("tls.crt")),
                Base64.getDecoder().decode(bundle),
                "racing-webhook.serving.svc",
                Instant.now())
            .isEmpty();
  }

  private static MutatingWebhookConfiguration configuration() {
    return client
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName("racing")
        .get();
  }

  private static <T> List<T> atOnce(Callable<T> task) throws Exception {
    try (ExecutorService replicas = Executors.newFixedThreadPool(6)) {
      List<Future<T>> all = replicas.invokeAll(Stream.generate(() -> task).limit(6).toList());
      return all.stream().map(Future::resultNow).toList();
    }
  }
}
