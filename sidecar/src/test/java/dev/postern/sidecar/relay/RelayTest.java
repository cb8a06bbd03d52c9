package dev.postern.sidecar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.tls.PeerAuthorizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every path does alike: records x backends x TLS versions. */
@Tag("behaviour")
@ParameterizedClass(name = "{0} {1}")
@MethodSource("modes")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayTest {

  private static final int MIB = 1024 * 1024;
  private static final Charset UTF_8 = StandardCharsets.UTF_8;

  @Parameter(0)
  Mode mode;

  @Parameter(1)
  String protocol;

  static Stream<Arguments> modes() {
    return Mode.withVersions();
  }

  @BeforeEach
  void assumeMode() {
    mode.assumeExists();
  }

  @Test
  void shouldCarry16MiBEachWayUnchanged() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        SSLSocket client = relay.connect(protocol)) {
      CompletableFuture<byte[]> received =
          CompletableFuture.supplyAsync(() -> hashOf(client, 16 * MIB));
      byte[] sent = sendRandom(client.getOutputStream(), 16 * MIB);
      assertThat(received.join()).isEqualTo(sent);
    }
  }

  /** cases.md 1. */
  @Test
  void shouldDeliverAllWhenTheClientHasEndedAndTheAppAnswersLater() throws Exception {
    byte[] answer = new byte[8 * MIB];
    Arrays.fill(answer, (byte) 'a');
    try (RelayHarness relay =
            new RelayHarness(
                mode,
                app -> {
                  app.getInputStream().readAllBytes();
                  pause(1000);
                  app.getOutputStream().write(answer);
                });
        SSLSocket client = relay.connect(protocol)) {
      client.getOutputStream().write("question".getBytes(UTF_8));
      client.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).isEqualTo(answer);
    }
  }

  @Test
  void shouldLetTheClientGoOnWhenTheAppHasEnded() throws Exception {
    CompletableFuture<byte[]> heard = new CompletableFuture<>();
    try (RelayHarness relay =
            new RelayHarness(
                mode,
                app -> {
                  app.getOutputStream().write("early".getBytes(UTF_8));
                  app.shutdownOutput();
                  heard.complete(app.getInputStream().readAllBytes());
                });
        SSLSocket client = relay.connect(protocol)) {
      assertThat(client.getInputStream().readNBytes(5)).isEqualTo("early".getBytes(UTF_8));
      client.getOutputStream().write("late".getBytes(UTF_8));
      client.shutdownOutput();
      assertThat(heard.join()).isEqualTo("late".getBytes(UTF_8));
    }
  }

  /** cases.md 14. */
  @Test
  void shouldShowWhatTheAppSaysFirst() throws Exception {
    try (RelayHarness relay =
            new RelayHarness(
                mode,
                app -> {
                  app.getOutputStream().write("220 ready\r\n".getBytes(UTF_8));
                  app.getInputStream().readAllBytes();
                });
        SSLSocket client = relay.connect(protocol)) {
      client.setSoTimeout(1000);
      assertThat(new String(client.getInputStream().readNBytes(9), UTF_8)).isEqualTo("220 ready");
    }
  }

  /** cases.md 4. */
  @Test
  void shouldResetTheAppWhenTheClientIsCutOffWithoutCloseNotify() throws Exception {
    CompletableFuture<IOException> appSaw = new CompletableFuture<>();
    try (RelayHarness relay =
        new RelayHarness(
            mode,
            app -> {
              try {
                app.getInputStream().readAllBytes();
                appSaw.complete(null);
              } catch (IOException e) {
                appSaw.complete(e);
              }
            })) {
      Socket tcp = relay.dial();
      SSLSocket client =
          relay.handshake(
              tcp, protocol, RelayHarness.CLIENT.sslContext(RelayHarness.PKI.certificate()));
      client.getOutputStream().write(1);
      tcp.shutdownOutput();

      assertThat(appSaw.join()).hasMessageContaining("reset");
      assertThat(relay.nextReport().reason()).isEqualTo(CloseReason.TRUNCATED);
      tcp.close();
    }
  }

  @Test
  void shouldResetTheClientWhenTheAppResets() throws Exception {
    try (RelayHarness relay =
            new RelayHarness(
                mode,
                app -> {
                  app.getInputStream().read();
                  app.setSoLinger(true, 0);
                });
        SSLSocket client = relay.connect(protocol)) {
      client.getOutputStream().write(1);
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
      assertThat(relay.nextReport().reason()).isEqualTo(CloseReason.APP_RESET);
    }
  }

  /** cases.md 2, with what a test run has time for. */
  @Test
  void shouldServeASlowReaderWholeWithoutSlowingOthers() throws Exception {
    int bytes = 4 * MIB;
    try (RelayHarness relay =
        new RelayHarness(
            mode,
            app -> {
              int wish = app.getInputStream().read();
              sendRandom(app.getOutputStream(), wish == 'b' ? bytes : 1000);
            })) {
      Socket tcp = new Socket();
      tcp.setReceiveBufferSize(4096);
      tcp.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.port));
      SSLSocket slow =
          relay.handshake(
              tcp, protocol, RelayHarness.CLIENT.sslContext(RelayHarness.PKI.certificate()));
      slow.getOutputStream().write('b');
      pause(300);
      for (int i = 0; i < 20; i++) {
        try (SSLSocket quick = relay.connect(protocol)) {
          quick.getOutputStream().write('s');
          assertThat(hashOf(quick, 1000)).isEqualTo(hashOfRandom(1000));
        }
      }
      assertThat(hashOf(slow, bytes)).isEqualTo(hashOfRandom(bytes));
      slow.close();
    }
  }

  @Test
  void shouldNameTheClosedSideAndWhoThePeerWas() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo)) {
      try (SSLSocket client = relay.connect(protocol)) {
        client.getOutputStream().write(7);
        assertThat(client.getInputStream().read()).isEqualTo(7);
      }
      ConnectionReport report = relay.nextReport();
      assertThat(report.reason()).as(report.detail()).isEqualTo(CloseReason.CLIENT_CLOSED);
      assertThat(report.peerName()).isEqualTo("spiffe://cluster.local/ns/shop/sa/client");
      assertThat(report.version()).isEqualTo(protocol);
      assertThat(report.bytesIn()).isEqualTo(1);
      assertThat(report.bytesOut()).isEqualTo(1);
    }
  }

  /** Path truth: what the report says is what the kernel has counted. */
  @Test
  void shouldReportThePathThatTheKernelHasCounted() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo)) {
      long sends = Mode.kernelCount("TlsTxSw");
      long receives = Mode.kernelCount("TlsRxSw");
      try (SSLSocket client = relay.connect(protocol)) {
        client.getOutputStream().write(7);
        assertThat(client.getInputStream().read()).isEqualTo(7);
      }
      PathTaken path = relay.nextReport().path();
      boolean kernel = path.records().startsWith("kernel");
      assertThat(Mode.kernelCount("TlsTxSw") - sends).isEqualTo(kernel ? 1 : 0);
      assertThat(Mode.kernelCount("TlsRxSw") - receives)
          .isEqualTo(path.records().equals("kernel") ? 1 : 0);
      assertThat(path.recordsReason().isEmpty()).isEqualTo(path.records().equals("kernel"));
      assertThat(path.io()).isEqualTo(mode.io().label());
    }
  }

  @Test
  void shouldSayThatNothingListensWhenTheAppIsGone() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo)) {
      relay.stopApp();
      try (SSLSocket client = relay.connect(protocol)) {
        assertThat(readOrEnd(client)).isEqualTo(-1);
      } catch (IOException expected) {
        // TLS 1.2 clients may hear of the end within the handshake.
      }
      ConnectionReport report = relay.nextReport();
      assertThat(report.reason()).isEqualTo(CloseReason.APP_REFUSED);
      assertThat(report.detail()).contains("ECONNREFUSED");
    }
  }

  @Test
  void shouldKeepOldConnectionsAndServeANewIdentityWhenRulesAreSwapped() throws Exception {
    var next = RelayHarness.PKI.leaf("spiffe://cluster.local/ns/shop/sa/next");
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        SSLSocket before = relay.connect(protocol)) {
      relay
          .worker
          .swap(
              RelayHarness.rules(
                  mode, next, Admission.TLS_ONLY, peer -> PeerAuthorizer.Decision.ALLOWED))
          .join();
      try (SSLSocket after = relay.connect(protocol)) {
        assertThat(after.getSession().getPeerCertificates()[0]).isEqualTo(next.chain().get(0));
      }
      before.getOutputStream().write(9);
      assertThat(before.getInputStream().read()).isEqualTo(9);
    }
  }

  @Test
  void shouldLeaveNothingBehindAfterManyConnections() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo)) {
      for (int i = 0; i < 200; i++) {
        SSLSocket client = relay.connect(protocol);
        client.getOutputStream().write(i);
        if (i % 3 == 0) {
          client.getInputStream().read();
        } else if (i % 3 == 1) {
          client.setSoLinger(true, 0);
        }
        client.close();
      }
      for (int i = 0; i < 200; i++) {
        relay.nextReport();
      }
      assertThat(relay.worker.connections().join()).isEmpty();
      assertThat(relay.worker.counters().live.read()).isZero();
      assertThat(relay.worker.counters().handshaking.read()).isZero();
      assertThat(relay.worker.buffersLent().join()).isZero();
    }
  }

  static void echo(Socket app) throws IOException {
    app.getInputStream().transferTo(app.getOutputStream());
  }

  private static int readOrEnd(SSLSocket client) throws IOException {
    return client.getInputStream().read();
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] sendRandom(OutputStream out, int bytes) throws IOException {
    MessageDigest hash = sha256();
    SplittableRandom random = new SplittableRandom(1);
    byte[] chunk = new byte[50_000];
    for (int left = bytes; left > 0; ) {
      random.nextBytes(chunk);
      int length = Math.min(left, chunk.length);
      hash.update(chunk, 0, length);
      out.write(chunk, 0, length);
      left -= length;
    }
    return hash.digest();
  }

  private static byte[] hashOfRandom(int bytes) throws IOException {
    return sendRandom(OutputStream.nullOutputStream(), bytes);
  }

  private static byte[] hashOf(Socket socket, int bytes) {
    try {
      MessageDigest hash = sha256();
      InputStream in = socket.getInputStream();
      byte[] chunk = new byte[64 * 1024];
      int left = bytes;
      while (left > 0) {
        int read = in.read(chunk, 0, Math.min(chunk.length, left));
        assertThat(read).as("bytes left: " + left).isPositive();
        hash.update(chunk, 0, read);
        left -= read;
      }
      return hash.digest();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
