package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SignerIT {

  private static Sandbox sandbox;

  @BeforeAll
  static void open() {
    sandbox = new Sandbox("signer");
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @Test
  void shouldDenyACertificateThatAsksForTheNameOfAnotherNamespace() {
    assertDenied("thief");
  }

  @Test
  void shouldDenyItWithTheWebhookOffToo() {
    Release release = new Release(sandbox.client());
    int replicas = release.deployment(Release.WEBHOOK).getSpec().getReplicas();
    release.scale(Release.WEBHOOK, 0);
    try {
      assertDenied("thief-unseen");
    } finally {
      release.scale(Release.WEBHOOK, replicas);
      release.awaitRollout(Release.WEBHOOK);
    }
  }

  private static void assertDenied(String name) {
    sandbox.apply("foreign-name.yaml", "name", name);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(readyCondition(name))
                    .containsEntry("status", "False")
                    .containsEntry("reason", "Denied")
                    .hasEntrySatisfying(
                        "message",
                        message ->
                            assertThat(message.toString()).contains("ns/kube-system/sa/default")));
    assertThat(sandbox.client().secrets().inNamespace(sandbox.namespace()).withName(name).get())
        .isNull();
  }

  private static Map<String, Object> readyCondition(String certificate) {
    GenericKubernetesResource resource =
        sandbox
            .client()
            .genericKubernetesResources("postern.dev/v1alpha1", "Certificate")
            .inNamespace(sandbox.namespace())
            .withName(certificate)
            .get();
    List<Map<String, Object>> conditions = resource.get("status", "conditions");
    assertThat(conditions).isNotNull();
    return conditions.stream().filter(c -> c.get("type").equals("Ready")).findFirst().orElseThrow();
  }
}
