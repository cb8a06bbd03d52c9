package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobIT {

  @Test
  void shouldCompleteAndEndItsPod() {
    try (Sandbox sandbox = new Sandbox("job")) {
      sandbox.apply("job.yaml");
      await()
          .atMost(Duration.ofSeconds(Sandbox.READY_SECONDS))
          .untilAsserted(
              () ->
                  assertThat(podsOf(sandbox))
                      .hasSize(1)
                      .allMatch(pod -> "Succeeded".equals(pod.getStatus().getPhase())));
      assertThat(
              sandbox
                  .client()
                  .batch()
                  .v1()
                  .jobs()
                  .inNamespace(sandbox.namespace())
                  .withName("once")
                  .get()
                  .getStatus()
                  .getSucceeded())
          .isEqualTo(1);
    }
  }

  private static List<Pod> podsOf(Sandbox sandbox) {
    return sandbox.client().pods().inNamespace(sandbox.namespace()).list().getItems();
  }
}
