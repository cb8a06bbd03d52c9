package dev.postern.operator.webhook;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.IssuedCertificate;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.LeafRequest;
import dev.postern.operator.pki.Usage;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Both ends of TLS on localhost: a server's leaf and a client that trusts its CA. */
final class Loopback {

  private final CertificateAuthority authority =
      CertificateAuthority.selfSigned(
          "test", KeyAlgorithm.ECDSA_P256, Duration.ofDays(9), 1, Instant.now());

  SSLContext server() throws Exception {
    KeyPair pair = KeyAlgorithm.ECDSA_P256.generate();
    IssuedCertificate issued =
        authority.issue(
            new LeafRequest(
                CertificateNames.ofDns(List.of("localhost")),
                pair.getPublic(),
                Usage.parse(List.of("server auth")),
                Duration.ofDays(1)),
            Instant.now());
    KeyStore keys = emptyStore();
    keys.setKeyEntry(
        "leaf", pair.getPrivate(), new char[0], issued.chain().toArray(Certificate[]::new));
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(keys, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  X509Certificate root() {
    return authority.anchor();
  }

  SSLContext client() throws Exception {
    return trusting(authority.anchor());
  }

  private static SSLContext trusting(X509Certificate root) throws Exception {
    KeyStore roots = emptyStore();
    roots.setCertificateEntry("root", root);
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(roots);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, java.io.IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
