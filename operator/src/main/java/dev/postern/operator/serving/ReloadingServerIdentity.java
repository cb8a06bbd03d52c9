package dev.postern.operator.serving;

import dev.postern.operator.pki.PemCertificates;
import dev.postern.operator.pki.PemPrivateKey;
import dev.postern.operator.pki.PkiException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook server's key and certificate, read from a mounted Secret (tls.crt, tls.key) and read
 * again after the kubelet has swapped its {@code ..data} link.
 *
 * <p>Looked at when a handshake asks, at most once a second; no thread of its own. A new pair that
 * is broken leaves the old one in force. Thread-safe.
 */
public final class ReloadingServerIdentity extends X509ExtendedKeyManager {
  private static final Logger LOG = LoggerFactory.getLogger(ReloadingServerIdentity.class);
  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);

  private final Path directory;
  private final InstantSource clock;
  private Instant nextCheck = Instant.MIN;
  private int seen;
  private String problem = "";
  private Pair pair;

  /** A handshake that chose it just before the reload still finds its key. */
  private Pair before;

  /**
   * Nothing is read yet; a directory that is still empty is no error.
   *
   * @param directory --tls-dir
   */
  public ReloadingServerIdentity(Path directory, InstantSource clock) {
    this.directory = directory;
    this.clock = clock;
  }

  /** A server context with this identity; it follows every reload. */
  public SSLContext sslContext() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {this}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new AssertionError("the JDK has TLS", e);
    }
  }

  /** The chain that is served now, leaf first; empty before the first good pair. */
  public List<X509Certificate> chain() {
    return current().map(it -> List.copyOf(it.chain())).orElse(List.of());
  }

  /**
   * Whether what is served verifies against what the API server holds (security.md 17).
   *
   * @param caBundle PEM of one webhook configuration's clientConfig.caBundle; null or empty: none
   * @param dnsName the name by which the API server calls
   * @return why not, or empty
   */
  public Optional<String> ownLeafVerifies(byte[] caBundle, String dnsName) {
    return LeafVerification.failure(chain(), caBundle, dnsName, clock.instant());
  }

  private synchronized Optional<Pair> current() {
    Instant now = clock.instant();
    if (!now.isBefore(nextCheck)) {
      nextCheck = now.plus(CHECK_EVERY);
      reload();
    }
    return Optional.ofNullable(pair);
  }

  private void reload() {
    byte[] tlsKey = null;
    try {
      // Through the link once, so that both files are of one version.
      Path version =
          directory.resolve("..data").toFile().exists()
              ? directory.resolve("..data").toRealPath()
              : directory;
      byte[] tlsCrt = Files.readAllBytes(version.resolve("tls.crt"));
      tlsKey = Files.readAllBytes(version.resolve("tls.key"));
      int content = 31 * Arrays.hashCode(tlsCrt) + Arrays.hashCode(tlsKey);
      if (content != seen) {
        seen = content;
        swap(read(tlsCrt, tlsKey));
        LOG.info("serving {}", describe(pair.chain().get(0)));
      }
    } catch (IOException | PkiException e) {
      report(e);
    } finally {
      if (tlsKey != null) {
        Arrays.fill(tlsKey, (byte) 0);
      }
    }
  }

  private void swap(Pair fresh) {
    before = pair;
    pair = fresh;
    problem = "";
  }

  /** Once for each problem, not once a second. */
  private void report(Exception e) {
    String found = String.valueOf(e);
    if (!found.equals(problem)) {
      problem = found;
      String kept = pair == null ? "nothing to serve yet" : "the old pair stays";
      LOG.warn("{}: {}; {}", directory, found, kept);
    }
  }

  private static Pair read(byte[] tlsCrt, byte[] tlsKey) {
    List<X509Certificate> chain = PemCertificates.readChain("tls.crt", tlsCrt);
    PrivateKey key = PemPrivateKey.read("tls.key", tlsKey);
    if (!PemPrivateKey.matches(key, chain.get(0).getPublicKey())) {
      throw new PkiException("tls.key does not belong to the certificate in tls.crt");
    }
    return new Pair(chain, key, chain.get(0).getSerialNumber().toString(16));
  }

  private static String describe(X509Certificate leaf) {
    return "certificate "
        + leaf.getSerialNumber().toString(16)
        + " until "
        + leaf.getNotAfter().toInstant();
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return alias(keyType);
  }

  private String alias(String keyType) {
    return current()
        .filter(it -> it.key().getAlgorithm().equals(keyType))
        .map(Pair::alias)
        .orElse(null);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return named(alias).map(it -> it.chain().toArray(X509Certificate[]::new)).orElse(null);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return named(alias).map(Pair::key).orElse(null);
  }

  private synchronized Optional<Pair> named(String alias) {
    return Stream.of(pair, before).filter(it -> it != null && it.alias().equals(alias)).findFirst();
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return null;
  }

  @Override
  public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return null;
  }

  private record Pair(List<X509Certificate> chain, PrivateKey key, String alias) {}
}
