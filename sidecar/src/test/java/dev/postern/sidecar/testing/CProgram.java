package dev.postern.sidecar.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A small C program of a test, compiled by the machine's gcc; without one the test is skipped. */
public final class CProgram {

  private final Path executable;

  private CProgram(Path executable) {
    this.executable = executable;
  }

  public static CProgram compile(Path folder, String name, String source)
      throws IOException, InterruptedException {
    Path gcc = Path.of("/usr/bin/gcc");
    Assumptions.assumeTrue(Files.isExecutable(gcc), "gcc is not installed");
    Path file = Files.writeString(folder.resolve(name + ".c"), source);
    Path executable = folder.resolve(name);
    execute(List.of(gcc.toString(), "-o", executable.toString(), file.toString()));
    return new CProgram(executable);
  }

  /** Runs it to its end; both streams. A status other than 0 fails the test. */
  public String run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(arguments);
    return execute(command);
  }

  private static String execute(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s said: %s", command.getFirst(), output).isZero();
    return output;
  }
}
