package dev.postern.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Issued certificates in real handshakes of JSSE over loopback. */
class MutualTlsTest {
  private final Instant now = Instant.now();

  @ParameterizedTest
  @CsvSource({
    "ECDSA_P256, ECDSA_P256, TLSv1.3",
    "ECDSA_P384, RSA_3072, TLSv1.3",
    "RSA_2048, ECDSA_P256, TLSv1.2",
    "RSA_4096, RSA_2048, TLSv1.2",
    "ED25519, ED25519, TLSv1.3",
    "ED25519, ECDSA_P384, TLSv1.2"
  })
  void shouldShakeHandsWhenBothSidesTrustTheCa(
      KeyAlgorithm caAlgorithm, KeyAlgorithm leafAlgorithm, String protocol) throws Exception {
    CertificateAuthority ca = Pki.authority(caAlgorithm, Duration.ofDays(9), now);
    SSLContext context = context(ca, leafAlgorithm, ca.anchor());

    Certificate peer = handshake(context, context, protocol);

    assertThat(CertificateNames.of((X509Certificate) peer)).isEqualTo(Pki.WEB);
  }

  @Test
  void shouldFailWhenTheClientsCaIsAnother() throws Exception {
    CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256, Duration.ofDays(9), now);
    CertificateAuthority other = Pki.authority(KeyAlgorithm.ECDSA_P256, Duration.ofDays(9), now);
    SSLContext server = context(ca, KeyAlgorithm.ECDSA_P256, ca.anchor());
    SSLContext client = context(other, KeyAlgorithm.ECDSA_P256, ca.anchor());

    assertThatThrownBy(() -> handshake(server, client, "TLSv1.3"))
        .isInstanceOfAny(IOException.class, ExecutionException.class);
  }

  /** The server's view: the client's certificate, after a byte went each way. */
  private static Certificate handshake(SSLContext server, SSLContext client, String protocol)
      throws Exception {
    try (SSLServerSocket listener =
        (SSLServerSocket)
            server
                .getServerSocketFactory()
                .createServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      listener.setNeedClientAuth(true);
      listener.setSoTimeout(10_000);
      CompletableFuture<SSLSession> accepted = CompletableFuture.supplyAsync(() -> serve(listener));
      try (SSLSocket socket =
          (SSLSocket)
              client
                  .getSocketFactory()
                  .createSocket(listener.getInetAddress(), listener.getLocalPort())) {
        socket.setSoTimeout(10_000);
        socket.setEnabledProtocols(new String[] {protocol});
        socket.getOutputStream().write('?');
        if (socket.getInputStream().read() != '!') {
          throw new IOException("the server did not answer");
        }
      }
      SSLSession session = accepted.get();
      assertThat(session.getProtocol()).isEqualTo(protocol);
      return session.getPeerCertificates()[0];
    }
  }

  private static SSLSession serve(SSLServerSocket listener) {
    try (SSLSocket socket = (SSLSocket) listener.accept()) {
      socket.setSoTimeout(10_000);
      assertThat(socket.getInputStream().read()).isEqualTo('?');
      socket.getOutputStream().write('!');
      return socket.getSession();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private SSLContext context(
      CertificateAuthority ca, KeyAlgorithm leafAlgorithm, X509Certificate anchor)
      throws Exception {
    KeyPair pair = leafAlgorithm.generate();
    IssuedCertificate issued = ca.issue(Pki.request(pair), now);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "leaf", pair.getPrivate(), new char[0], issued.chain().toArray(Certificate[]::new));
    KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
    keyManagers.init(keys, new char[0]);
    KeyStore roots = KeyStore.getInstance("PKCS12");
    roots.load(null, null);
    roots.setCertificateEntry("root", anchor);
    TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
    trustManagers.init(roots);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    return context;
  }
}
