package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
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
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Integer.valueOf(1).equals(job(sandbox).getStatus().getSucceeded()));
    }
  }

  private static Job job(Sandbox sandbox) {
    return sandbox
        .client()
        .batch()
        .v1()
        .jobs()
        .inNamespace(sandbox.namespace())
        .withName("once")
        .get();
  }

  private static List<Pod> podsOf(Sandbox sandbox) {
    return sandbox.client().pods().inNamespace(sandbox.namespace()).list().getItems();
  }
}
