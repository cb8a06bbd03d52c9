package dev.postern.sidecar.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A run folder as the kubelet mounts it: each volume a folder whose files are links through {@code
 * ..data}, which is swapped whole.
 */
public final class TestRunDir {

  private final Path root;
  private int generation;

  public TestRunDir(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  /** A valid run folder: strict policy, own trust domain cluster.local. */
  public static TestRunDir valid(Path root, TestPki pki, TestIdentity identity) {
    TestRunDir dir = new TestRunDir(root);
    dir.identity(identity.certificatePem(), identity.keyPem());
    dir.trust(pki.bundleJson("cluster.local"));
    dir.policy(
        """
        {"version":"1","mode":"Strict","minVersion":"TLS1.2","clientCertificate":"Required",
         "trustDomain":"cluster.local","peers":null}
        """);
    return dir;
  }

  public void identity(String certificatePem, String keyPem) {
    swap("identity", "tls.crt", certificatePem, "tls.key", keyPem);
  }

  public void trust(String bundleJson) {
    swap("trust", "bundle.json", bundleJson);
  }

  public void policy(String json) {
    swap("policy", "v1.json", json);
  }

  /** Writes a new generation and moves {@code ..data} to it, atomically. */
  private void swap(String volume, String... namesAndTexts) {
    try {
      Path folder = Files.createDirectories(root.resolve(volume));
      Path next = Files.createDirectory(folder.resolve("..gen" + generation++));
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        Files.writeString(next.resolve(namesAndTexts[i]), namesAndTexts[i + 1]);
        Path link = folder.resolve(namesAndTexts[i]);
        if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
          Files.createSymbolicLink(link, Path.of("..data", namesAndTexts[i]));
        }
      }
      Path temporary = folder.resolve("..data_tmp");
      Files.createSymbolicLink(temporary, next.getFileName());
      Files.move(
          temporary,
          folder.resolve("..data"),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
