package dev.postern.operator.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.KeyAlgorithm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReloadingServerIdentityTest {
  @TempDir Path directory;

  private final Instant begin = Instant.now();
  private final CertificateAuthority authority = AuthorityStep.create(begin);
  private Instant now = begin;
  private Mounted mounted;
  private ReloadingServerIdentity identity;
  private HttpsServer server;

  @BeforeEach
  void serve() throws Exception {
    mounted = new Mounted(directory);
    identity = new ReloadingServerIdentity(directory, () -> now);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(identity.sslContext()));
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @EnumSource(names = {"ECDSA_P256", "RSA_2048", "ED25519"})
  void shouldServeTheMountedPairOfAnyAlgorithm(KeyAlgorithm algorithm) throws Exception {
    X509Certificate leaf = mounted.swap(authority, algorithm, begin);

    assertThat(served()).isEqualTo(leaf);
  }

  @Test
  void shouldServeTheNewPairWhenTheLinkWasSwapped() throws Exception {
    X509Certificate first = mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    assertThat(served()).isEqualTo(first);

    X509Certificate second = mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);

    now = begin.plusSeconds(1);
    assertThat(served()).isEqualTo(second).isNotEqualTo(first);
  }

  @Test
  void shouldKeepTheOldPairWhenTheNewKeyBelongsToAnotherCertificate() throws Exception {
    X509Certificate first = mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    assertThat(served()).isEqualTo(first);

    mounted.swap(authority.certificatePem(), AuthorityStep.create(begin).privateKeyPem());

    now = begin.plusSeconds(1);
    assertThat(served()).isEqualTo(first);
  }

  @Test
  void shouldKeepTheOldPairWhenTheNewFilesAreGarbageAndTakeTheNextGoodOne() throws Exception {
    X509Certificate first = mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    assertThat(served()).isEqualTo(first);

    mounted.swap("x".getBytes(StandardCharsets.US_ASCII), new byte[0]);
    now = begin.plusSeconds(1);
    assertThat(served()).isEqualTo(first);

    X509Certificate third = mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    now = begin.plusSeconds(2);
    assertThat(served()).isEqualTo(third);
  }

  @Test
  void shouldBeginWhenTheFirstPairComes() throws Exception {
    assertThatThrownBy(this::served).isInstanceOf(IOException.class);

    X509Certificate leaf = mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);

    now = begin.plusSeconds(1);
    assertThat(served()).isEqualTo(leaf);
  }

  @Test
  void shouldFindTheKeyOfAHandshakeWhenAReloadCameInBetween() throws Exception {
    mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    String alias = identity.chooseEngineServerAlias("EC", null, null);
    X509Certificate[] chain = identity.getCertificateChain(alias);

    mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    now = begin.plusSeconds(1);
    String other = identity.chooseEngineServerAlias("EC", null, null);

    assertThat(other).isNotEqualTo(alias);
    assertThat(identity.getCertificateChain(alias)).isEqualTo(chain);
    assertThat(identity.getPrivateKey(alias)).isNotEqualTo(identity.getPrivateKey(other));
  }

  @Test
  void shouldVerifyItsOwnLeafWhenTheBundleHoldsItsCa() throws Exception {
    mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);

    assertThat(identity.ownLeafVerifies(authority.certificatePem(), Mounted.NAME)).isEmpty();
  }

  @Test
  void shouldVerifyItsOwnLeafWhenTheBundleHoldsAnotherCaToo() throws Exception {
    mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    WebhookAuthorities both =
        AuthorityStep.STAGE_NEXT.apply(WebhookAuthorities.first(authority), begin);

    assertThat(identity.ownLeafVerifies(both.bundle(), Mounted.NAME)).isEmpty();
  }

  @Test
  void shouldSayWhyItsOwnLeafDoesNotVerify() throws Exception {
    byte[] bundle = authority.certificatePem();
    byte[] foreign = AuthorityStep.create(begin).certificatePem();
    assertThat(identity.ownLeafVerifies(bundle, Mounted.NAME))
        .hasValue("no certificate to serve yet");

    mounted.swap(authority, KeyAlgorithm.ECDSA_P256, begin);
    now = begin.plusSeconds(1);

    assertThat(identity.ownLeafVerifies(null, Mounted.NAME).orElseThrow()).contains("no caBundle");
    assertThat(identity.ownLeafVerifies(foreign, Mounted.NAME).orElseThrow())
        .contains("does not verify");
    assertThat(identity.ownLeafVerifies(bundle, "other.svc").orElseThrow())
        .contains("not for other");
    now = begin.plus(Duration.ofDays(90));
    assertThat(identity.ownLeafVerifies(bundle, Mounted.NAME).orElseThrow())
        .contains("does not verify");
  }

  /** The leaf that a fresh handshake shows, by a client that checks chain and name. */
  private X509Certificate served() throws Exception {
    KeyStore roots = KeyStore.getInstance("PKCS12");
    roots.load(null, null);
    roots.setCertificateEntry("ca", authority.certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(roots);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket()) {
      socket.setSoTimeout(10_000);
      socket.connect(server.getAddress(), 10_000);
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }
}
