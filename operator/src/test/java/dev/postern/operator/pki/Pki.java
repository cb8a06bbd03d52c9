package dev.postern.operator.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Material that several tests share. */
final class Pki {
  static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  static final Duration DAY = Duration.ofDays(1);
  static final Set<Usage> USAGES = Usage.parse(List.of());
  static final CertificateNames WEB =
      new CertificateNames(
          "", List.of("web.shop.svc"), List.of(), List.of("spiffe://cluster.local/ns/shop/sa/web"));

  private Pki() {}

  static CertificateAuthority authority(KeyAlgorithm algorithm) {
    return authority(algorithm, Duration.ofDays(365), NOW);
  }

  static CertificateAuthority authority(KeyAlgorithm algorithm, Duration lifetime, Instant now) {
    return CertificateAuthority.selfSigned("Postern test CA", algorithm, lifetime, 1, now);
  }

  static LeafRequest request(KeyPair pair) {
    return new LeafRequest(WEB, pair.getPublic(), USAGES, DAY);
  }

  /** Runs the machine's openssl; its output, stderr included, after exit status 0. */
  static String openssl(Path directory, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new AssertionError(String.join(" ", command) + ": status " + status + "\n" + output);
    }
    return output;
  }

  static byte[] read(Path directory, String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }
}
