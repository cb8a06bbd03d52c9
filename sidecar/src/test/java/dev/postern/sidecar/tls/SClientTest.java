package dev.postern.sidecar.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.openssl.OpenSsl;
import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.testing.TestSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code openssl s_client} as the client: what a user reads on the terminal. */
class SClientTest {

  private static final TestPki ROOT = TestPki.root("root");

  @TempDir Path folder;

  private PeerAuthorizer.Decision decision = PeerAuthorizer.Decision.ALLOWED;
  private TlsContext context;
  private SessionServer server;

  @BeforeEach
  void serve() throws IOException {
    write("client", ROOT.leaf("spiffe://cluster.local/ns/shop/sa/cart"));
    write("foreign", TestPki.root("foreign").leaf("spiffe://cluster.local/ns/shop/sa/cart"));
    write("server-only", ROOT.leaf().dns("x.shop.svc").serverOnly().issue());
    Files.writeString(folder.resolve("root.pem"), ROOT.pem());
    context =
        new TlsContext(
            TestSnapshots.serverIdentity(ROOT.leaf("spiffe://cluster.local/ns/shop/sa/web")),
            List.of(TestSnapshots.anchor(ROOT, "cluster.local")),
            new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED));
    server = new SessionServer(context, peer -> decision);
  }

  private void write(String name, TestIdentity identity) throws IOException {
    Files.writeString(folder.resolve(name + ".crt"), identity.certificatePem());
    Files.writeString(folder.resolve(name + ".key"), identity.keyPem());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    context.close();
  }

  /** Types lines, each after half a second, and returns all that was printed. */
  private String sClient(String identity, List<String> lines, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect"));
    command.add("127.0.0.1:" + server.port());
    command.addAll(List.of("-CAfile", folder.resolve("root.pem").toString()));
    if (!identity.isEmpty()) {
      command.addAll(List.of("-cert", folder.resolve(identity + ".crt").toString()));
      command.addAll(List.of("-key", folder.resolve(identity + ".key").toString()));
    }
    command.addAll(List.of(options));
    Path out = Files.createTempFile(folder, "s_client", ".out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try (OutputStream stdin = process.getOutputStream()) {
      for (String line : lines) {
        TimeUnit.MILLISECONDS.sleep(500);
        stdin.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        stdin.flush();
      }
      TimeUnit.MILLISECONDS.sleep(500);
    } catch (IOException e) {
      // It has ended already, as it should where the server refuses.
    }
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("s_client ends").isTrue();
    return Files.readString(out);
  }

  @ParameterizedTest
  @CsvSource({"-tls1_2,TLSv1.2", "-tls1_3,TLSv1.3"})
  void shouldEchoWhenTheCertificateIsValid(String option, String version) throws Exception {
    String printed = sClient("client", List.of("hello"), option);

    assertThat(printed).contains("Verify return code: 0 (ok)").contains(version).contains("hello");
  }

  @Test
  void shouldSendNoTicketAndNoSessionWhenTls13() throws Exception {
    assertThat(sClient("client", List.of("hello"), "-tls1_3"))
        .doesNotContain("New Session Ticket arrived");
  }

  @ParameterizedTest
  @CsvSource({"-tls1_2,alert handshake failure", "-tls1_3,alert certificate required"})
  void shouldPrintTheAlertWhenNoCertificateIsShown(String option, String alert) throws Exception {
    assertThat(sClient("", List.of(), option)).contains(alert);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void shouldPrintUnknownCaWhenTheRootIsForeign(String option) throws Exception {
    assertThat(sClient("foreign", List.of(), option)).contains("alert unknown ca");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void shouldRefuseWhenTheCertificateIsForServersOnly(String option) throws Exception {
    assertThat(sClient("server-only", List.of(), option)).contains("alert unsupported certificate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_2", "-tls1_3"})
  void shouldPrintAccessDeniedWhenPolicyRefuses(String option) throws Exception {
    decision = PeerAuthorizer.Decision.NOT_IN_POLICY;

    assertThat(sClient("client", List.of(), option)).contains("alert access denied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1", "-tls1_1"})
  void shouldRefuseWhenTheVersionIsTooOld(String option) throws Exception {
    assertThat(sClient("client", List.of(), option, "-cipher", "ALL:@SECLEVEL=0"))
        .contains("alert protocol version");
    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.NO_AGREEMENT);
  }

  @Test
  void shouldRefuseWhenTheCipherIsCbc() throws Exception {
    assertThat(sClient("client", List.of(), "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"))
        .contains("alert handshake failure");
    assertThat(server.outcome().failure().reason()).isEqualTo(TlsFailure.Reason.NO_AGREEMENT);
  }

  @Test
  void shouldAnswerNoRenegotiationWhenTheClientAsksForIt() throws Exception {
    assertThat(sClient("client", List.of("R", "hello"), "-tls1_2")).contains("no renegotiation");
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "K"})
  void shouldGoOnWhenTheClientUpdatesItsKeys(String command) throws Exception {
    String printed = sClient("client", List.of("before", command, "after"), "-tls1_3");

    assertThat(printed)
        .contains("KEYUPDATE")
        .containsPattern("(?m)^before$")
        .containsPattern("(?m)^after$");
    assertThat(server.outcome().failure()).isNull();
  }

  @Test
  void shouldAgreeOnThePostQuantumGroupWhenOpenSslHasIt() throws Exception {
    boolean has = OpenSsl.require().compareTo("OpenSSL 3.5") >= 0;

    assertThat(sClient("client", List.of("hello"), "-tls1_3"))
        .contains(has ? "X25519MLKEM768" : "X25519");
  }

  @Test
  void shouldNotAnswerAlpnWhenTheClientOffersIt() throws Exception {
    assertThat(sClient("client", List.of("hello"), "-alpn", "h2,http/1.1"))
        .contains("No ALPN negotiated")
        .contains("hello");
  }
}
