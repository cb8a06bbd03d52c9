package dev.postern.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class WebhookCommandTest {

  @ParameterizedTest
  @CsvSource({
    "--seccomp-profile, Localhost/../x y",
    "--image-pull-policy, Sometimes",
    "--sidecar-cpu-request, much",
    "--sidecar-memory-request, 256Mi",
    "--probe-port, 70000"
  })
  void shouldExitWithConfigurationErrorWhenAnOptionIsWrong(String option, String value) {
    assertThat(run(option, value)).isEqualTo(78);
  }

  @Test
  void shouldExitWithConfigurationErrorWhenThePortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThat(run("--port", Integer.toString(taken.getLocalPort()))).isEqualTo(78);
    }
  }

  private static int run(String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("--sidecar-image", "x", "--log-level", "error"));
    if (!List.of(options).contains("--probe-port")) {
      arguments.addAll(List.of("--probe-port", "0"));
    }
    arguments.addAll(List.of(options));
    return new CommandLine(new WebhookCommand()).execute(arguments.toArray(String[]::new));
  }
}
