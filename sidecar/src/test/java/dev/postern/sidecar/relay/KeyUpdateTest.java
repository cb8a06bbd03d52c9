package dev.postern.sidecar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.ktls.RecordsWanted;
import dev.postern.sidecar.testing.WireClient;
import dev.postern.sidecar.tls.PeerAuthorizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * New keys in mid-stream (RFC 8446 section 4.6.3), and the same wish in TLS 1.2. Where a kernel
 * holds keys that it cannot change, the connection ends with an alert and that reason.
 */
@Tag("behaviour")
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyUpdateTest {

  private static final int TLS1_2 = 0x0303;
  private static final int TLS1_3 = 0x0304;
  private static final int INTERNAL_ERROR = 80;
  private static final int SSL_R_NO_RENEGOTIATION = 339;
  private static final int FLOOD = 1000;

  @Parameter Mode mode;

  static Stream<Mode> modes() {
    return Mode.all();
  }

  @BeforeEach
  void assumeMode() {
    mode.assumeExists();
  }

  @Test
  void shouldGoOnWhenTheClientRenewsItsKeys() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay, TLS1_3)) {
      assertEchoes(client, 100);
      client.send(client.keyUpdate(false));
      if (mode.cannotRekey()) {
        assertEndsUnsupported(relay, client);
      } else {
        assertEchoes(client, 100_000);
      }
    }
  }

  @Test
  void shouldAnswerWhenAskedForNewKeys() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay, TLS1_3)) {
      assertEchoes(client, 100);
      client.send(client.keyUpdate(true));
      if (mode.cannotRekeyEitherWay()) {
        assertEndsUnsupported(relay, client);
      } else {
        assertEchoes(client, 100_000);
        assertEchoes(client, 100_000);
      }
    }
  }

  @Test
  void shouldKeepEveryByteWhenKeysChangeAllTheTime() throws Exception {
    Mode.assumeFollows(!mode.cannotRekeyEitherWay());
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay, TLS1_3)) {
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      ByteArrayOutputStream plain = new ByteArrayOutputStream();
      Random random = new Random(5);
      for (int i = 0; i < 100; i++) {
        byte[] chunk = new byte[1 + random.nextInt(20_000)];
        random.nextBytes(chunk);
        plain.writeBytes(chunk);
        wire.writeBytes(client.seal(chunk));
        wire.writeBytes(client.keyUpdate(i % 10 == 0));
      }
      CompletableFuture<Void> sending = send(client, wire.toByteArray());
      assertThat(client.read(plain.size())).isEqualTo(plain.toByteArray());
      sending.join();
    }
  }

  @Test
  void shouldRenewItsOwnKeysBeforeTheirLimit() throws Exception {
    Mode.assumeFollows(!mode.cannotRekeyEitherWay());
    Limits often = Limits.DEFAULT.withRecordsPerKey(10);
    try (RelayHarness relay = harness(often);
        WireClient client = client(relay, TLS1_3)) {
      long before = Mode.kernelCount("TlsTxRekeyOk");
      for (int i = 0; i < 35; i++) {
        assertEchoes(client, 5000);
      }
      if (mode.records() == RecordsWanted.KERNEL || mode.records() == RecordsWanted.KERNEL_TX) {
        assertThat(Mode.kernelCount("TlsTxRekeyOk") - before).isGreaterThanOrEqualTo(3);
      }
    }
  }

  /** cases.md 6. */
  @Test
  void shouldBearAFloodOfKeyUpdates() throws Exception {
    Mode.assumeFollows(!mode.cannotRekey());
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay, TLS1_3)) {
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i < FLOOD; i++) {
        flood.writeBytes(client.keyUpdate(false));
      }
      client.send(flood.toByteArray());
      assertEchoes(client, 10_000);
    }
  }

  @Test
  void shouldSayNoRenegotiationWhenTheClientWantsAnotherHandshake() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay, TLS1_2)) {
      assertEchoes(client, 100);
      client.send(client.renegotiate());
      // OpenSSL as a client takes the warning no_renegotiation for the end.
      assertThat(client.readReason()).isEqualTo(SSL_R_NO_RENEGOTIATION);
    }
  }

  private RelayHarness harness(Limits limits) throws IOException {
    return new RelayHarness(
        mode, Admission.TLS_ONLY, peer -> PeerAuthorizer.Decision.ALLOWED, limits, RelayTest::echo);
  }

  private static WireClient client(RelayHarness relay, int version) throws IOException {
    WireClient client = new WireClient(relay.dial(), RelayHarness.CLIENT, version);
    client.handshake();
    return client;
  }

  private static void assertEchoes(WireClient client, int bytes) throws IOException {
    byte[] sent = new byte[bytes];
    new Random(bytes).nextBytes(sent);
    CompletableFuture<Void> sending = send(client, client.seal(sent));
    assertThat(client.read(bytes)).isEqualTo(sent);
    sending.join();
  }

  private static CompletableFuture<Void> send(WireClient client, byte[] wire) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            client.send(wire);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void assertEndsUnsupported(RelayHarness relay, WireClient client)
      throws Exception {
    assertThat(client.readAlert()).isEqualTo(INTERNAL_ERROR);
    assertThat(relay.nextReport().reason()).isEqualTo(CloseReason.REKEY_UNSUPPORTED);
  }
}
