package dev.postern.operator.serving;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.IssuedCertificate;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.LeafRequest;
import dev.postern.operator.pki.PemPrivateKey;
import dev.postern.operator.pki.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A Secret volume as the kubelet lays it out: files link through ..data to a dated folder. */
final class Mounted {
  static final String NAME = "postern-webhook.postern-system.svc";

  private final Path directory;
  private int version;

  Mounted(Path directory) {
    this.directory = directory;
  }

  /** Writes a fresh pair of the CA and swaps the link; the leaf that is there after. */
  X509Certificate swap(CertificateAuthority authority, KeyAlgorithm algorithm, Instant now)
      throws IOException {
    KeyPair pair = algorithm.generate();
    IssuedCertificate issued =
        authority.issue(
            new LeafRequest(
                CertificateNames.ofDns(List.of(NAME)),
                pair.getPublic(),
                Usage.parse(List.of("server auth")),
                Duration.ofDays(90)),
            now);
    swap(issued.chainPem(), PemPrivateKey.write(pair.getPrivate()));
    return issued.leaf();
  }

  void swap(byte[] tlsCrt, byte[] tlsKey) throws IOException {
    String folder = "..version_" + version++;
    Files.createDirectory(directory.resolve(folder));
    Files.write(directory.resolve(folder).resolve("tls.crt"), tlsCrt);
    Files.write(directory.resolve(folder).resolve("tls.key"), tlsKey);
    Path fresh = Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of(folder));
    Files.move(fresh, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    for (String file : List.of("tls.crt", "tls.key")) {
      if (!Files.isSymbolicLink(directory.resolve(file))) {
        Files.createSymbolicLink(directory.resolve(file), Path.of("..data", file));
      }
    }
  }
}
