package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PolicyIT {

  private static Sandbox sandbox;
  private static MutualTls client;

  @BeforeAll
  static void makeClient() {
    sandbox = new Sandbox("policy");
    client = sandbox.clientIdentity();
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @Test
  void shouldRefuseAPeerOutsideThePolicyAndCountIt() {
    sandbox.apply("guarded.yaml");
    String address = sandbox.readyPod("guarded").getStatus().getPodIP();
    assertThatThrownBy(() -> requireAnswer(client, address)).isInstanceOf(IOException.class);
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () ->
                assertThat(sandbox.sidecarLog(sandbox.readyPod("guarded")))
                    .contains("not_in_policy"));
  }

  @Test
  void shouldRefuseAPodWhosePolicyIsMissing() {
    assertThatThrownBy(
            () -> sandbox.apply("annotated-pod.yaml", "key", "policy", "value", "not-there"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("postern.dev/policy")
        .hasMessageContaining("not-there");
  }

  private static void requireAnswer(MutualTls peer, String address) throws IOException {
    if (peer.get(address, 8080, "TLSv1.3").isEmpty()) {
      throw new IOException("closed without an answer");
    }
  }
}
