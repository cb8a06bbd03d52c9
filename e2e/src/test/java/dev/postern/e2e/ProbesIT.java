package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ProbesIT {

  private static Sandbox sandbox;

  @BeforeAll
  static void open() {
    sandbox = new Sandbox("probes");
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @Test
  void shouldBeReadyWhenTheHttpAndTcpProbesOfTheAppSucceed() {
    sandbox.apply("probed.yaml", "name", "healthy", "path", "/", "tcp", "8080");
    assertThat(Readiness.isPodReady(sandbox.readyPod("healthy"))).isTrue();
  }

  @Test
  void shouldNotBeReadyWhenTheHttpProbeFails() {
    sandbox.apply("probed.yaml", "name", "missing", "path", "/not-there", "tcp", "8080");
    assertThat(neverReadyWhileTheAppRuns("missing")).isTrue();
  }

  @Test
  void shouldRestartTheAppWhenTheTcpProbeFails() {
    sandbox.apply("probed.yaml", "name", "deaf", "path", "/", "tcp", "8099");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                running("deaf")
                    && pod("deaf").getStatus().getContainerStatuses().get(0).getRestartCount() > 0);
  }

  private static boolean neverReadyWhileTheAppRuns(String name) {
    await().atMost(Duration.ofSeconds(60)).until(() -> running(name));
    await()
        .during(Duration.ofSeconds(6))
        .atMost(Duration.ofSeconds(10))
        .until(() -> !Readiness.isPodReady(pod(name)));
    return true;
  }

  private static boolean running(String name) {
    return "Running".equals(pod(name).getStatus().getPhase());
  }

  private static Pod pod(String name) {
    return sandbox.client().pods().inNamespace(sandbox.namespace()).withName(name).get();
  }
}
