package dev.postern.sidecar.identity;

import dev.postern.sidecar.files.BoundedFile;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.Loaded;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.EvpPkey;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.ServerIdentity;
import dev.postern.sidecar.tls.TlsContext;
import dev.postern.sidecar.tls.TlsParameters;
import dev.postern.sidecar.tls.TlsVersion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/** The files tls.crt and tls.key of one folder. A ca.crt beside them is never read. */
public final class IdentityFiles {

  private static final int MAX_BYTES = 256 * 1024;

  private static final TlsParameters PLAIN =
      new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.NONE);

  private final Path certificateFile;
  private final Path keyFile;

  public IdentityFiles(Path folder) {
    certificateFile = folder.resolve("tls.crt");
    keyFile = folder.resolve("tls.key");
  }

  /** What to watch. */
  public List<Path> paths() {
    return List.of(certificateFile, keyFile);
  }

  /** Reads and validates both. */
  public Loaded<Identity> load(Instant now) throws FileRefused {
    String pem =
        new String(BoundedFile.read(certificateFile, MAX_BYTES), StandardCharsets.ISO_8859_1);
    List<X509Certificate> chain = PemCertificates.parse(certificateFile, "", pem);
    checkOrder(chain);
    checkValidity(chain, now);
    EvpPkey key = readKey();
    checkBelongs(chain.getFirst(), key);
    ServerIdentity server = new ServerIdentity(chain, key);
    tryOut(server);
    return new Loaded<>(new Identity(server), List.of());
  }

  /** OpenSSL has rules of its own, as for the size of a key; better heard now than by a worker. */
  private void tryOut(ServerIdentity server) throws FileRefused {
    try {
      new TlsContext(server, List.of(), PLAIN).close();
    } catch (IllegalArgumentException e) {
      throw new FileRefused(certificateFile, e.getMessage());
    }
  }

  private void checkOrder(List<X509Certificate> chain) throws FileRefused {
    if (new HashSet<>(chain).size() < chain.size()) {
      throw new FileRefused(certificateFile, "a certificate is there twice");
    }
    for (int i = 1; i < chain.size(); i++) {
      if (!Signatures.issued(chain.get(i), chain.get(i - 1))) {
        throw new FileRefused(
            certificateFile,
            "certificate %d (%s) did not issue the one before it (%s): the leaf comes first, then each issuer"
                .formatted(i + 1, subject(chain.get(i)), subject(chain.get(i - 1))));
      }
    }
  }

  private void checkValidity(List<X509Certificate> chain, Instant now) throws FileRefused {
    for (X509Certificate certificate : chain) {
      if (now.isBefore(certificate.getNotBefore().toInstant())) {
        throw new FileRefused(
            certificateFile,
            "%s is not valid before %s, now it is %s"
                .formatted(subject(certificate), certificate.getNotBefore().toInstant(), now));
      }
      if (now.isAfter(certificate.getNotAfter().toInstant())) {
        throw new FileRefused(
            certificateFile,
            "%s expired at %s"
                .formatted(subject(certificate), certificate.getNotAfter().toInstant()));
      }
    }
  }

  /** Native memory only: no copy of the key ever lies on the Java heap. */
  private EvpPkey readKey() throws FileRefused {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pem = BoundedFile.readNative(keyFile, MAX_BYTES, arena);
      try {
        List<EvpPkey> keys = EvpPkey.parse(pem);
        if (keys.isEmpty()) {
          throw new FileRefused(
              keyFile,
              "holds no unencrypted PEM private key (OpenSSL: %s)".formatted(ErrorQueue.take()));
        }
        if (keys.size() > 1) {
          throw new FileRefused(keyFile, "holds more than one private key");
        }
        return keys.getFirst();
      } finally {
        pem.fill((byte) 0);
      }
    }
  }

  private void checkBelongs(X509Certificate leaf, EvpPkey key) throws FileRefused {
    try {
      if (!key.belongsTo(leaf.getEncoded())) {
        throw new FileRefused(
            keyFile,
            "is not the key of the first certificate in %s (%s)"
                .formatted(certificateFile, subject(leaf)));
      }
    } catch (CertificateEncodingException | IllegalArgumentException e) {
      throw new FileRefused(certificateFile, e.getMessage());
    }
  }

  private static String subject(X509Certificate certificate) {
    String name = certificate.getSubjectX500Principal().getName();
    return name.isEmpty() ? "serial " + certificate.getSerialNumber().toString(16) : name;
  }
}
