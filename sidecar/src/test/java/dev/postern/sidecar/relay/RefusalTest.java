package dev.postern.sidecar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.tls.PeerAuthorizer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A broken or foreign client costs only itself, and the app never hears of it. */
@Tag("behaviour")
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusalTest {

  private static final Limits HASTY =
      new Limits(
          64,
          16,
          Duration.ofSeconds(3).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          Duration.ofMillis(600).toNanos(),
          Duration.ofMillis(200).toNanos(),
          Duration.ofMillis(500).toNanos(),
          Duration.ofMillis(300).toNanos(),
          Long.MAX_VALUE);

  @Parameter Mode mode;

  static Stream<Mode> modes() {
    return Mode.all();
  }

  @BeforeEach
  void assumeMode() {
    mode.assumeExists();
  }

  /** cases.md 3: the alert can be read, and a FIN follows, not a reset. */
  @Test
  void shouldAnswerJunkWithAReadableAlertAndAFin() throws Exception {
    try (RelayHarness relay = relay();
        Socket client = relay.dial()) {
      client.getOutputStream().write(HexFormat.of().parseHex("1603014801" + "ff".repeat(64)));
      byte[] answer = client.getInputStream().readAllBytes();
      assertThat(HexFormat.of().formatHex(answer)).matches("1503[0-9a-f]{2}00020216");
      assertUntouched(relay, CloseReason.HANDSHAKE_FAILED);
    }
  }

  @Test
  void shouldCloseOnPlainHttp() throws Exception {
    try (RelayHarness relay = relay();
        Socket client = relay.dial()) {
      client.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(client.getInputStream().readAllBytes()).doesNotContain('H', 'T');
      assertUntouched(relay, CloseReason.HANDSHAKE_FAILED);
    }
  }

  @Test
  void shouldCloseOnRandomBytes() throws Exception {
    byte[] noise = new byte[4000];
    new SplittableRandom(3).nextBytes(noise);
    try (RelayHarness relay = relay();
        Socket client = relay.dial()) {
      client.getOutputStream().write(noise);
      client.getInputStream().readAllBytes();
      assertUntouched(relay, CloseReason.HANDSHAKE_FAILED);
    }
  }

  @Test
  void shouldEndSilenceByTheHandshakeTimer() throws Exception {
    try (RelayHarness relay = relay();
        Socket client = relay.dial()) {
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertUntouched(relay, CloseReason.HANDSHAKE_TIMEOUT);
    }
  }

  @Test
  void shouldEndHalfAClientHelloByTheHandshakeTimer() throws Exception {
    try (RelayHarness relay = relay();
        Socket client = relay.dial()) {
      client.getOutputStream().write(HexFormat.of().parseHex("16030100c8010000c40303"));
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertUntouched(relay, CloseReason.HANDSHAKE_TIMEOUT);
    }
  }

  @Test
  void shouldRefuseAClientWithoutACertificate() throws Exception {
    assertRefused(TestIdentity.anonymousContext(RelayHarness.PKI.certificate()));
  }

  @Test
  void shouldRefuseACertificateOfAnotherCa() throws Exception {
    TestIdentity stranger = TestPki.root("other").leaf("spiffe://cluster.local/ns/shop/sa/client");
    assertRefused(stranger.sslContext(RelayHarness.PKI.certificate()));
  }

  @Test
  void shouldRefuseAPeerOutsideThePolicyBeforeTheAppIsConnected() throws Exception {
    PeerAuthorizer nobody = peer -> PeerAuthorizer.Decision.NOT_IN_POLICY;
    try (RelayHarness relay =
        new RelayHarness(mode, Admission.TLS_ONLY, nobody, HASTY, RelayTest::echo)) {
      assertThatThrownBy(() -> exchange(relay, client())).isInstanceOf(IOException.class);
      ConnectionReport report = relay.nextReport();
      assertThat(report.reason()).isEqualTo(CloseReason.PEER_REFUSED);
      assertThat(report.detail()).isEqualTo("not_in_policy");
      assertThat(relay.appConnections).hasValue(0);
    }
  }

  @Test
  void shouldEndAnIdleConnectionInTime() throws Exception {
    try (RelayHarness relay = relay();
        SSLSocket client = relay.connect("TLSv1.3")) {
      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertThat(relay.nextReport().reason()).isEqualTo(CloseReason.IDLE);
    }
  }

  @Test
  void shouldGoOnAfterItsBuffersWereGivenBack() throws Exception {
    try (RelayHarness relay = relay();
        SSLSocket client = relay.connect("TLSv1.3")) {
      for (int i = 0; i < 3; i++) {
        client.getOutputStream().write(i);
        assertThat(client.getInputStream().read()).isEqualTo(i);
        // Longer than trimNs with a scan in between, shorter than idleNs.
        Thread.sleep(400);
      }
    }
  }

  @Test
  void shouldServeOthersWhileManyClientsStaySilent() throws Exception {
    try (RelayHarness relay = relay()) {
      Socket[] silent = new Socket[12];
      for (int i = 0; i < silent.length; i++) {
        silent[i] = relay.dial();
      }
      assertThat(exchange(relay, client())).isEqualTo(5);
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void shouldPassPlaintextThroughOnAPermissivePort() throws Exception {
    try (RelayHarness relay = permissive(RelayTest::echo)) {
      try (Socket client = relay.dial()) {
        client.getOutputStream().write("plain".getBytes(StandardCharsets.US_ASCII));
        client.shutdownOutput();
        assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("plain");
      }
      assertThat(relay.nextReport().path().records()).isEqualTo("none");
      assertThat(exchange(relay, client())).isEqualTo(5);
    }
  }

  /** cases.md 14: the app speaks first, on a permissive port. */
  @Test
  void shouldShowTheBannerToASilentPlaintextClientWithinASecond() throws Exception {
    try (RelayHarness relay =
            permissive(
                app -> {
                  app.getOutputStream().write("220".getBytes(StandardCharsets.US_ASCII));
                  app.getInputStream().readAllBytes();
                });
        Socket client = relay.dial()) {
      client.setSoTimeout(1000);
      assertThat(client.getInputStream().readNBytes(3)).asString().isEqualTo("220");
    }
  }

  @Test
  void shouldRelayPlaintextOnlyWhenTlsIsDisabled() throws Exception {
    try (RelayHarness relay =
            new RelayHarness(
                mode,
                Admission.PLAINTEXT_ONLY,
                peer -> PeerAuthorizer.Decision.ALLOWED,
                HASTY,
                RelayTest::echo);
        Socket client = relay.dial()) {
      client.getOutputStream().write("x".getBytes(StandardCharsets.US_ASCII));
      assertThat(client.getInputStream().read()).isEqualTo('x');
    }
  }

  private RelayHarness relay() throws IOException {
    return new RelayHarness(
        mode, Admission.TLS_ONLY, peer -> PeerAuthorizer.Decision.ALLOWED, HASTY, RelayTest::echo);
  }

  private RelayHarness permissive(RelayHarness.App app) throws IOException {
    return new RelayHarness(
        mode,
        Admission.TLS_OR_PLAINTEXT,
        peer -> PeerAuthorizer.Decision.ALLOWED,
        Limits.DEFAULT,
        app);
  }

  private static SSLContext client() {
    return RelayHarness.CLIENT.sslContext(RelayHarness.PKI.certificate());
  }

  private void assertRefused(SSLContext client) throws Exception {
    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      try (RelayHarness relay = relay()) {
        assertThatThrownBy(() -> exchange(relay, client, protocol)).isInstanceOf(IOException.class);
        assertUntouched(relay, CloseReason.HANDSHAKE_FAILED);
      }
    }
  }

  private static int exchange(RelayHarness relay, SSLContext context) throws IOException {
    return exchange(relay, context, "TLSv1.3");
  }

  private static int exchange(RelayHarness relay, SSLContext context, String protocol)
      throws IOException {
    try (SSLSocket socket = relay.connect(protocol, context)) {
      socket.getOutputStream().write(5);
      int answer = socket.getInputStream().read();
      if (answer < 0) {
        throw new IOException("closed without an answer");
      }
      return answer;
    }
  }

  private static void assertUntouched(RelayHarness relay, CloseReason reason) throws Exception {
    assertThat(relay.nextReport().reason()).isEqualTo(reason);
    assertThat(relay.appConnections).hasValue(0);
  }
}
