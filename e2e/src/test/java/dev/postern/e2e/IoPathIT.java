package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class IoPathIT {

  private static final String OPTION = "--seccomp-profile=";

  @Test
  void shouldSayEpollAndSeccompDeniedUnderRuntimeDefault() throws IOException {
    assertThat(statusOfANewSidecar("default")).contains("epoll").contains("seccomp-denied");
  }

  @Test
  void shouldUseIoUringWithoutTheProfile() throws IOException {
    try (Sandbox cluster = new Sandbox("profile")) {
      Release release = new Release(cluster.client());
      release.setArguments(Release.WEBHOOK, IoPathIT::unconfined);
      try {
        assertThat(statusOfANewSidecar("unconfined")).contains("io_uring");
      } finally {
        release.setArguments(Release.WEBHOOK, IoPathIT::runtimeDefault);
      }
    }
  }

  private static String statusOfANewSidecar(String purpose) throws IOException {
    try (Sandbox sandbox = new Sandbox("io-" + purpose)) {
      sandbox.apply("web.yaml");
      MutualTls client = sandbox.clientIdentity();
      Pod web = sandbox.readyPod("web");
      assertThat(client.get(web.getStatus().getPodIP(), 8080, "TLSv1.3")).contains("200");
      return InPod.run(sandbox.client(), web, "postern", "postern", "status").output();
    }
  }

  private static String unconfined(String argument) {
    return argument.startsWith(OPTION) ? OPTION + "Unconfined" : argument;
  }

  private static String runtimeDefault(String argument) {
    return argument.startsWith(OPTION) ? OPTION + "RuntimeDefault" : argument;
  }
}
