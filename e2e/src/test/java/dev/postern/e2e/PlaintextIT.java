package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlaintextIT {

  private static Sandbox sandbox;
  private static Pod echo;
  private static Pod client;

  @BeforeAll
  static void deploy() {
    sandbox = new Sandbox("plaintext");
    sandbox.apply("echo.yaml");
    sandbox.apply("plain-client.yaml");
    echo = sandbox.readyPod("echo");
    client = sandbox.readyPod("plain-client");
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @ParameterizedTest(name = "port {0}")
  @ValueSource(ints = {9000, 9001})
  void shouldNotReachTheAppInPlaintextFromAnotherPod(int port) {
    InPod result = speakTo(client, "client", echo.getStatus().getPodIP(), port);
    assertThat(result.output()).doesNotContain("are you there");
  }

  @Test
  void shouldStillReachTheAppInsideItsOwnPod() {
    assertThat(speakTo(echo, "app", "127.0.0.1", 9001).output()).contains("are you there");
  }

  private static InPod speakTo(Pod from, String container, String address, int port) {
    String dialogue = "echo are you there | socat -t5 - TCP:" + address + ":" + port + " 2>&1";
    return InPod.run(sandbox.client(), from, container, "sh", "-c", dialogue);
  }
}
