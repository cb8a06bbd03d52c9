package dev.postern.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** What a command in a container came to. */
record InPod(int exitCode, String output) {

  private static final long EXEC_SECONDS = 60;

  /** Runs a command and waits for its end; its two streams are put together. */
  static InPod run(KubernetesClient client, Pod pod, String container, String... command) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (ExecWatch exec =
        client
            .pods()
            .inNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getMetadata().getName())
            .inContainer(container)
            .writingOutput(output)
            .writingError(output)
            .exec(command)) {
      int exitCode = exec.exitCode().get(EXEC_SECONDS, TimeUnit.SECONDS);
      return new InPod(exitCode, output.toString(StandardCharsets.UTF_8));
    } catch (Exception e) {
      throw new IllegalStateException(String.join(" ", command) + ": " + output, e);
    }
  }
}
