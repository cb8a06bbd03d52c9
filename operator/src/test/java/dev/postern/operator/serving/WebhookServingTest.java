package dev.postern.operator.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.operator.pki.PemCertificates;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class WebhookServingTest {
  private static final ReleaseNames RELEASE =
      new ReleaseNames("postern-system", "postern", "cluster.local");
  private static final Duration SOON = Duration.ofSeconds(5); // security.md 17
  private static final Duration SETTLED = Duration.ofSeconds(30);

  KubernetesClient client;

  private final Instant begin = Instant.now();
  private volatile Instant now = begin;
  private volatile boolean leading = true;
  private WebhookServing serving;

  @BeforeEach
  void install() {
    client
        .resource(
            new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("postern")
                .endMetadata()
                .addNewWebhook()
                .withName("namespace.postern.dev")
                .withNewClientConfig()
                .endClientConfig()
                .endWebhook()
                .addNewWebhook()
                .withName("pod.postern.dev")
                .withNewClientConfig()
                .endClientConfig()
                .endWebhook()
                .build())
        .create();
    client
        .resource(
            new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("postern")
                .endMetadata()
                .addNewWebhook()
                .withName("pod.postern.dev")
                .withNewClientConfig()
                .endClientConfig()
                .endWebhook()
                .build())
        .create();
    serving = new WebhookServing(client, RELEASE, () -> leading, () -> now);
  }

  @AfterEach
  void stop() {
    serving.close();
  }

  @Test
  void shouldMakeALeafThatVerifiesAgainstEveryBundleWhenItStarts() {
    startAndSettle();

    assertThat(bundles()).hasSize(3).allMatch(bundle -> verifies(bundle));
  }

  @Test
  void shouldNameTheServiceInAllWaysThatTheApiServerMayCall() {
    startAndSettle();

    assertThat(
            LeafVerification.failure(
                PemCertificates.readChain("tls.crt", data("postern-webhook-tls", "tls.crt")),
                bundles().get(0),
                "postern-webhook.postern-system.svc.cluster.local",
                now))
        .isEmpty();
  }

  @Test
  void shouldPutTheBundleBackWithinFiveSecondsWhenSomebodyBlanksIt() {
    startAndSettle();
    byte[] bundle = bundles().get(0);

    blank();

    await().atMost(SOON).until(() -> bundles().stream().allMatch(it -> equal(it, bundle)));
  }

  @Test
  void shouldWriteNothingWhenItDoesNotLead() {
    leading = false;
    serving.start();

    await()
        .atMost(SETTLED)
        .until(() -> serving.failure().orElse("").contains("no longer the leader"));
    assertThat(secret("postern-webhook-ca")).isNull();
    assertThat(bundles()).allMatch(bundle -> bundle.length == 0);
  }

  @Test
  void shouldLeaveBundlesAloneWhenItWasStopped() throws Exception {
    startAndSettle();
    serving.stop();

    blank();

    Thread.sleep(1500);
    assertThat(bundles().get(0)).isEmpty();
  }

  @Test
  void shouldWorkAgainWhenLeadershipComesBack() {
    startAndSettle();
    serving.stop();
    blank();

    serving.start();

    await().atMost(SETTLED).until(() -> bundles().stream().allMatch(this::verifies));
  }

  @Test
  void shouldLeaveAForeignSecretUntouchedAndSaySo() {
    Secret foreign =
        client
            .resource(
                new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("postern-system")
                    .withName("postern-webhook-tls")
                    .endMetadata()
                    .withType("kubernetes.io/tls")
                    .withData(Map.of("tls.crt", "eA==", "tls.key", "eA=="))
                    .build())
            .create();

    serving.start();

    await().atMost(SETTLED).until(() -> serving.failure().orElse("").contains("is not Postern's"));
    assertThat(secret("postern-webhook-tls").getData()).isEqualTo(foreign.getData());
  }

  @Test
  void shouldRepairALeafWhenSomebodyBroke() {
    startAndSettle();
    Secret broken = secret("postern-webhook-tls");
    broken.getData().put("tls.key", "");
    client.resource(broken).update();

    blank(); // wakes it

    await().atMost(SETTLED).until(() -> data("postern-webhook-tls", "tls.key").length > 0);
  }

  @Test
  void shouldKeepEverythingWhenASecondReplicaTakesOver() {
    startAndSettle();
    Secret ca = secret("postern-webhook-ca");
    Secret leaf = secret("postern-webhook-tls");
    serving.stop();

    try (WebhookServing other = new WebhookServing(client, RELEASE, () -> true, () -> now)) {
      other.start();
      await().atMost(SETTLED).until(() -> other.failure().isEmpty());
    }

    assertThat(secret("postern-webhook-ca")).isEqualTo(ca);
    assertThat(secret("postern-webhook-tls")).isEqualTo(leaf);
  }

  @Test
  void shouldServeVerifiablyAtEveryPassWhenTheCaIsRotatedTwice() {
    WebhookCertificates certificates = new WebhookCertificates(client, RELEASE, () -> true);
    byte[] leaf = new byte[0];
    int leaves = 0;
    for (int day = 0; day < 560; day += 4) {
      now = begin.plus(Duration.ofDays(day));
      byte[] bundleBefore = bundles().get(0);
      certificates.pass(now);
      byte[] leafNow = data("postern-webhook-tls", "tls.crt");
      assertThat(verifies(bundles().get(0))).as("on day " + day).isTrue();
      if (!equal(leaf, leafNow)) {
        leaves++;
        // The bundle of a pass ago knows the CA already: no API server is taken by surprise.
        assertThat(day == 0 || verifies(bundleBefore)).as("leaf of day " + day).isTrue();
      }
      leaf = leafNow;
    }
    assertThat(leaves).isBetween(10, 14);
  }

  private void startAndSettle() {
    serving.start();
    await().atMost(SETTLED).until(() -> serving.failure().isEmpty());
  }

  private void blank() {
    MutatingWebhookConfiguration configuration = mutating();
    configuration.getWebhooks().forEach(it -> it.getClientConfig().setCaBundle(null));
    client.resource(configuration).update();
  }

  private boolean verifies(byte[] bundle) {
    return LeafVerification.failure(
            PemCertificates.readChain("tls.crt", data("postern-webhook-tls", "tls.crt")),
            bundle,
            "postern-webhook.postern-system.svc",
            now)
        .isEmpty();
  }

  private List<byte[]> bundles() {
    var validating =
        client
            .admissionRegistration()
            .v1()
            .validatingWebhookConfigurations()
            .withName("postern")
            .get();
    return Stream.of(mutating(), validating)
        .flatMap(it -> CaBundles.clientConfigs(it).stream())
        .map(it -> it.getCaBundle() == null ? "" : it.getCaBundle())
        .map(Base64.getDecoder()::decode)
        .toList();
  }

  private MutatingWebhookConfiguration mutating() {
    return client
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName("postern")
        .get();
  }

  private Secret secret(String name) {
    return client.secrets().inNamespace("postern-system").withName(name).get();
  }

  private byte[] data(String name, String key) {
    return OwnSecret.decode(secret(name)).get(key);
  }

  private static boolean equal(byte[] one, byte[] other) {
    return Arrays.equals(one, other);
  }
}
