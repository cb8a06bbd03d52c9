package dev.postern.sidecar.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A leaf, its key and its chain.
 *
 * @param chain the leaf first, then intermediates, without the root
 * @param key the leaf's private key
 * @param issuer the certificate of the authority that signed the leaf
 */
public record TestIdentity(List<X509Certificate> chain, PrivateKey key, X509Certificate issuer) {

  private static final char[] PASSWORD = "test".toCharArray();

  /** The chain as PEM, as in tls.crt. */
  public String certificatePem() {
    return chain.stream()
        .map(c -> pem("CERTIFICATE", TestPki.encoded(c)))
        .collect(Collectors.joining());
  }

  /** The key as PKCS#8 PEM, as in tls.key. */
  public String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  /** Writes tls.crt, tls.key and ca.crt (the issuer) into a folder, which is made. */
  public void writeTo(Path dir) {
    try {
      Files.createDirectories(dir);
      Files.writeString(dir.resolve("tls.crt"), certificatePem());
      Files.writeString(dir.resolve("tls.key"), keyPem());
      Files.writeString(dir.resolve("ca.crt"), pem("CERTIFICATE", TestPki.encoded(issuer)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A JSSE context that shows this identity and trusts one root. */
  public SSLContext sslContext(X509Certificate trusted) {
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry("own", key, PASSWORD, chain.toArray(Certificate[]::new));
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trustOnly(trusted).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A JSSE context that shows no certificate and trusts one root. */
  public static SSLContext anonymousContext(X509Certificate trusted) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trustOnly(trusted).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrustManagerFactory trustOnly(X509Certificate trusted)
      throws GeneralSecurityException {
    KeyStore store = emptyStore();
    store.setCertificateEntry("root", trusted);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    return trust;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String pem(String label, byte[] der) {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, body, label);
  }
}
