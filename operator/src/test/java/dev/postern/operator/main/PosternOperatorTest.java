package dev.postern.operator.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PosternOperatorTest {

  private final StringWriter said = new StringWriter();

  @Test
  void shouldNameBothCommandsInItsHelp() {
    assertThat(execute("--help")).isZero();
    assertThat(said.toString()).contains("operator").contains("webhook");
  }

  @Test
  void shouldEndWithStatus78ForAnUnknownOption() {
    assertThat(execute("operator", "--no-such-option")).isEqualTo(78);
    assertThat(said.toString()).contains("--no-such-option");
    assertThat(execute("webhook", "--no-such-option")).isEqualTo(78);
  }

  @Test
  void shouldReadEmptyFloorsAsNone() {
    assertThat(OperatorSettings.modeFloor("")).isEqualTo(Mode.Disabled);
    assertThat(OperatorSettings.minVersionFloor("")).isEqualTo(MinVersion.TLS1_2);
    assertThat(OperatorSettings.namespaces("")).isEmpty();
    assertThat(OperatorSettings.namespaces("a, b,")).containsExactly("a", "b");
  }

  @Test
  void shouldNameTheOptionAndWhatItTakes() {
    assertThatThrownBy(() -> OperatorSettings.modeFloor("strict"))
        .hasMessageContaining("--mode-floor")
        .hasMessageContaining("Permissive");
    assertThatThrownBy(() -> OperatorSettings.minVersionFloor("1.3"))
        .hasMessageContaining("--min-version-floor")
        .hasMessageContaining("TLS1.3");
    assertThatThrownBy(() -> OperatorSettings.identityDuration("1 day"))
        .hasMessageContaining("--identity-duration");
  }

  private int execute(String... arguments) {
    CommandLine commandLine = PosternOperator.commandLine();
    commandLine.setOut(new PrintWriter(said));
    commandLine.setErr(new PrintWriter(said));
    return commandLine.execute(arguments);
  }
}
