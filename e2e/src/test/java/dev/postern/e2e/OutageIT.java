package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutageIT {

  @Test
  void shouldServeWhileTheOperatorIsKilled() throws Exception {
    try (Sandbox sandbox = new Sandbox("outage")) {
      sandbox.apply("web.yaml");
      MutualTls client = sandbox.clientIdentity();
      String address = sandbox.readyPod("web").getStatus().getPodIP();
      Release release = new Release(sandbox.client());
      try (Traffic traffic = new Traffic(client, address, 8080)) {
        await().atMost(Duration.ofSeconds(20)).until(() -> traffic.served() > 5);
        release.kill(Release.OPERATOR);
        release.kill(Release.WEBHOOK);
        long before = traffic.served();
        await().atMost(Duration.ofSeconds(30)).until(() -> traffic.served() > before + 40);
        assertThat(traffic.failures()).isEmpty();
      }
      release.awaitRollout(Release.OPERATOR);
      release.awaitRollout(Release.WEBHOOK);
    }
  }
}
