package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigInteger;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RotationIT {

  /** The kubelet takes up to 90 s to show a changed Secret; the sidecar looks every few seconds. */
  private static final Duration SERVED_WITHIN = Duration.ofMinutes(2);

  @Test
  void shouldServeARenewedCertificateWithoutAFailedConnection() throws Exception {
    try (Sandbox sandbox = new Sandbox("rotation")) {
      sandbox.apply("web.yaml");
      MutualTls client = sandbox.clientIdentity();
      String address = sandbox.readyPod("web").getStatus().getPodIP();
      BigInteger first = client.serverCertificate(address, 8080).getSerialNumber();
      try (Traffic traffic = new Traffic(client, address, 8080)) {
        // One more Service selects the pod: the identity gets its name, in a new certificate.
        sandbox.apply("second-service.yaml");
        await()
            .atMost(SERVED_WITHIN)
            .pollInterval(Duration.ofSeconds(1))
            .until(() -> !client.serverCertificate(address, 8080).getSerialNumber().equals(first));
        assertThat(client.serverCertificate(address, 8080).getSubjectAlternativeNames())
            .extracting(name -> name.get(1).toString())
            .contains("second." + sandbox.namespace() + ".svc");
        assertThat(traffic.failures()).isEmpty();
      }
    }
  }
}
