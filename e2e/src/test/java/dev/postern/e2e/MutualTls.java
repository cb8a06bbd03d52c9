package dev.postern.e2e;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A TLS client with an identity and a trust anchor, by the JDK: a peer that is not OpenSSL. */
record MutualTls(SSLContext context) {

  private static final int TIMEOUT_MS = 20_000;
  private static final char[] NO_PASSWORD = new char[0];

  /** From the data of a kubernetes.io/tls Secret with ca.crt, values in base64. */
  static MutualTls from(Map<String, String> secret) {
    return of(pem(secret, "tls.crt"), pem(secret, "tls.key"), pem(secret, "ca.crt"));
  }

  /** Trusts the same roots but shows no certificate. */
  static MutualTls anonymous(Map<String, String> secret) {
    return of(null, null, pem(secret, "ca.crt"));
  }

  /** Shows the certificate of {@code identity} and trusts the roots of {@code trust}. */
  static MutualTls of(Map<String, String> identity, Map<String, String> trust) {
    return of(pem(identity, "tls.crt"), pem(identity, "tls.key"), pem(trust, "ca.crt"));
  }

  private static MutualTls of(String chain, String key, String roots) {
    try {
      KeyStore trust = emptyStore();
      for (Certificate root : certificates(roots)) {
        trust.setCertificateEntry("root" + trust.size(), root);
      }
      TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
      trusted.init(trust);
      KeyStore identity = emptyStore();
      if (chain != null) {
        Certificate[] certificates = certificates(chain).toArray(Certificate[]::new);
        identity.setKeyEntry("id", privateKey(key, certificates[0]), NO_PASSWORD, certificates);
      }
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(identity, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
      return new MutualTls(context);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Connects and completes the handshake of {@code protocol}, "TLSv1.2" or "TLSv1.3". */
  SSLSocket connect(String address, int port, String protocol) throws IOException {
    Socket tcp = new Socket();
    tcp.connect(new InetSocketAddress(address, port), TIMEOUT_MS);
    tcp.setSoTimeout(TIMEOUT_MS);
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(tcp, address, port, true);
    socket.setEnabledProtocols(new String[] {protocol});
    try {
      socket.startHandshake();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  /** One GET; returns the whole answer, headers included. An empty answer is a refusal. */
  String get(String address, int port, String protocol) throws IOException {
    try (SSLSocket socket = connect(address, port, protocol)) {
      String request = "GET / HTTP/1.1\r\nHost: e2e\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The certificate that the server shows now. */
  X509Certificate serverCertificate(String address, int port) throws IOException {
    try (SSLSocket socket = connect(address, port, "TLSv1.3")) {
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static String pem(Map<String, String> secret, String key) {
    return new String(Base64.getDecoder().decode(secret.get(key)), StandardCharsets.US_ASCII);
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static PrivateKey privateKey(String pem, Certificate certificate)
      throws GeneralSecurityException {
    String body =
        pem.lines().filter(Predicate.not(line -> line.startsWith("-"))).reduce("", String::concat);
    return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
  }
}
