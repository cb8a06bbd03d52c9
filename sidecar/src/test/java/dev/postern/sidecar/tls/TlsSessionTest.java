package dev.postern.sidecar.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.testing.TestSnapshots;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSSE as the client. */
class TlsSessionTest {

  private static final TestPki ROOT = TestPki.root("root");
  private static final TestPki FOREIGN = TestPki.root("foreign");
  private static final TestIdentity SERVER = ROOT.leaf("spiffe://cluster.local/ns/shop/sa/web");
  private static final TestIdentity CLIENT = ROOT.leaf("spiffe://cluster.local/ns/shop/sa/cart");

  private SessionServer server;
  private TlsContext context;

  @AfterEach
  void close() throws IOException {
    server.close();
    context.close();
  }

  private void serve(TlsParameters parameters, PeerAuthorizer.Decision decision) {
    serve(SERVER, parameters, decision);
  }

  private void serve(
      TestIdentity identity, TlsParameters parameters, PeerAuthorizer.Decision decision) {
    context =
        new TlsContext(
            TestSnapshots.serverIdentity(identity),
            List.of(TestSnapshots.anchor(ROOT, "cluster.local")),
            parameters);
    server = new SessionServer(context, peer -> decision);
  }

  private void serve() {
    serve(
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED),
        PeerAuthorizer.Decision.ALLOWED);
  }

  private SSLSocket connect(SSLContext client, String... protocols) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port());
    socket.setEnabledProtocols(protocols);
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static byte[] exchange(SSLSocket socket, byte[] sent) throws IOException {
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try {
                OutputStream out = socket.getOutputStream();
                out.write(sent);
                out.flush();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    byte[] received = socket.getInputStream().readNBytes(sent.length);
    writer.join();
    return received;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.2,1",
    "TLSv1.2,16384",
    "TLSv1.2,8388608",
    "TLSv1.3,1",
    "TLSv1.3,16384",
    "TLSv1.3,8388608"
  })
  void shouldEchoEveryByteWhenClientIsValid(String protocol, int length) throws IOException {
    serve();
    byte[] sent = random(length);

    try (SSLSocket socket = connect(CLIENT.sslContext(ROOT.certificate()), protocol)) {
      assertThat(Arrays.equals(exchange(socket, sent), sent)).isTrue();
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).as("close_notify of the server").isEqualTo(-1);
    }

    SessionServer.Outcome outcome = server.outcome();
    assertThat(outcome.version()).isEqualTo(protocol);
    assertThat(outcome.closedClean()).isTrue();
    assertThat(outcome.failure()).isNull();
  }

  @Test
  void shouldKnowThePeerWhenItsChainIsVerified() throws IOException {
    serve();
    TestIdentity client =
        ROOT.intermediate("sub")
            .leaf()
            .uri("spiffe://cluster.local/ns/shop/sa/cart")
            .dns("cart.shop.svc")
            .issue();

    try (SSLSocket socket = connect(client.sslContext(ROOT.certificate()), "TLSv1.3")) {
      exchange(socket, random(1));
    }

    PeerIdentity peer = server.outcome().peer();
    assertThat(peer.uris()).containsExactly("spiffe://cluster.local/ns/shop/sa/cart");
    assertThat(peer.dnsNames()).containsExactly("cart.shop.svc");
    assertThat(peer.issuer()).isEqualTo("CN=sub");
    assertThat(peer.scope()).isEqualTo("spiffe://cluster.local");
    assertThat(peer.serial()).isEqualTo(client.chain().get(0).getSerialNumber().toString(16));
    assertThat(peer.notAfterEpochSeconds())
        .isEqualTo(client.chain().get(0).getNotAfter().toInstant().getEpochSecond());
  }

  @ParameterizedTest
  @CsvSource({"TLSv1.2,handshake_failure", "TLSv1.3,certificate_required"})
  void shouldAlertWhenClientShowsNoCertificate(String protocol, String alert) throws IOException {
    serve();

    refused(TestIdentity.anonymousContext(ROOT.certificate()), protocol, alert);

    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.NO_CERTIFICATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldAlertUnknownCaWhenClientIsOfAnotherRoot(String protocol) throws IOException {
    serve();

    refused(
        FOREIGN.leaf("spiffe://cluster.local/ns/shop/sa/cart").sslContext(ROOT.certificate()),
        protocol,
        "unknown_ca");

    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.UNKNOWN_CA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldAlertUnknownCaWhenTheOtherRootBearsTheSameName(String protocol) throws IOException {
    serve();

    refused(
        TestPki.root("root")
            .leaf("spiffe://cluster.local/ns/shop/sa/cart")
            .sslContext(ROOT.certificate()),
        protocol,
        "unknown_ca");

    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.UNKNOWN_CA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldAlertWhenClientCertificateIsExpired(String protocol) throws IOException {
    serve();

    refused(
        ROOT.leaf()
            .uri("spiffe://cluster.local/ns/shop/sa/cart")
            .expired()
            .issue()
            .sslContext(ROOT.certificate()),
        protocol,
        "certificate_expired");

    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.BAD_CERTIFICATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldAlertAccessDeniedWhenPolicyRefusesThePeer(String protocol) throws IOException {
    serve(
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED),
        PeerAuthorizer.Decision.NOT_IN_POLICY);

    refused(CLIENT.sslContext(ROOT.certificate()), protocol, "access_denied");

    assertThat(server.outcome().peer().uris()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
      })
  void shouldSealTheAlertForEverySuiteOfTls12(String suite) throws IOException {
    serve(
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED),
        PeerAuthorizer.Decision.NOT_IN_POLICY);

    try (SSLSocket socket = connect(CLIENT.sslContext(ROOT.certificate()), "TLSv1.2")) {
      socket.setEnabledCipherSuites(new String[] {suite});
      assertThatThrownBy(() -> exchange(socket, random(1)))
          .isInstanceOf(SSLException.class)
          .hasMessageContaining("access_denied");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldServeTheAnonymousWhenCertificateIsOptional(String protocol) throws IOException {
    serve(
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.OPTIONAL),
        PeerAuthorizer.Decision.ALLOWED);

    try (SSLSocket socket = connect(TestIdentity.anonymousContext(ROOT.certificate()), protocol)) {
      exchange(socket, random(1));
    }

    assertThat(server.outcome().peer()).isEqualTo(PeerIdentity.ANONYMOUS);
  }

  @Test
  void shouldRefuseAnInvalidCertificateWhenItIsOptional() throws IOException {
    serve(
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.OPTIONAL),
        PeerAuthorizer.Decision.ALLOWED);

    refused(
        FOREIGN.leaf("spiffe://cluster.local/ns/a/sa/b").sslContext(ROOT.certificate()),
        "TLSv1.3",
        "unknown_ca");
  }

  @Test
  void shouldRefuseTls12WhenPolicyDemandsTls13() throws IOException {
    serve(
        new TlsParameters(TlsVersion.TLS1_3, ClientCertificate.REQUIRED),
        PeerAuthorizer.Decision.ALLOWED);

    refused(CLIENT.sslContext(ROOT.certificate()), "TLSv1.2", "protocol_version");

    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.NO_AGREEMENT);
  }

  @Test
  void shouldServeRsaWhenTheIdentityIsRsa() throws IOException {
    serve(
        ROOT.leaf().dns("web.shop.svc").rsa().issue(),
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED),
        PeerAuthorizer.Decision.ALLOWED);

    try (SSLSocket socket = connect(CLIENT.sslContext(ROOT.certificate()), "TLSv1.2")) {
      exchange(socket, random(1));
    }

    assertThat(server.outcome().cipher()).isEqualTo("ECDHE-RSA-AES128-GCM-SHA256");
  }

  @Test
  void shouldWriteTheOverflowAlertWhenTheFirstRecordIsTooLong() throws IOException {
    serve();

    assertThat(answerTo(new byte[] {0x16, 3, 1, 0x48, 1, 1, 2, 3, 4, 5, 6, 7, 8}))
        .hasSize(7)
        .startsWith(0x15, 3)
        .endsWith(0, 2, 2, 0x16);
  }

  @Test
  void shouldCloseWithoutAnswerWhenTheClientSpeaksHttp() throws IOException {
    serve();

    assertThat(answerTo("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
        .isEmpty();

    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.NOT_TLS);
  }

  private void refused(SSLContext client, String protocol, String alert) throws IOException {
    try (SSLSocket socket = connect(client, protocol)) {
      assertThatThrownBy(
              () -> {
                socket.startHandshake();
                // TLS 1.3: the client is done before the server has seen its certificate.
                socket.getInputStream().read();
              })
          .isInstanceOf(SSLException.class)
          .hasMessageContaining(alert);
    }
  }

  private byte[] answerTo(byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(bytes);
      InputStream in = socket.getInputStream();
      return in.readAllBytes();
    }
  }
}
