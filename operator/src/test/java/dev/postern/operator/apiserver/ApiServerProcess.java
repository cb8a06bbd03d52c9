package dev.postern.operator.apiserver;

import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.PemPrivateKey;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** etcd and kube-apiserver on the loopback, with Postern's custom resources; no controllers. */
final class ApiServerProcess implements AutoCloseable {

  private static final String TOKEN = "only-for-this-test";
  private static final Path CRDS = Path.of("..", "helm", "files", "crds");

  private final Path program;
  private final Path folder;
  private final List<Process> processes = new ArrayList<>();
  private final KubernetesClient client;

  ApiServerProcess(Path program) throws IOException {
    this.program = program;
    this.folder = Files.createTempDirectory("postern-apiserver");
    int etcd = freePort();
    int api = freePort();
    startEtcd(etcd, freePort());
    startApiServer(etcd, api);
    client = client(api);
    try {
      awaitReady();
      installCustomResources();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  KubernetesClient client() {
    return client;
  }

  private void startEtcd(int port, int peerPort) throws IOException {
    String url = "http://127.0.0.1:" + port;
    String peerUrl = "http://127.0.0.1:" + peerPort;
    start(
        "etcd",
        "--data-dir=" + folder.resolve("etcd"),
        "--unsafe-no-fsync",
        "--listen-client-urls=" + url,
        "--advertise-client-urls=" + url,
        "--listen-peer-urls=" + peerUrl,
        "--initial-advertise-peer-urls=" + peerUrl,
        "--initial-cluster=default=" + peerUrl);
  }

  private void startApiServer(int etcd, int port) throws IOException {
    Path key = folder.resolve("accounts.key");
    Files.write(key, PemPrivateKey.write(KeyAlgorithm.RSA_2048.generate().getPrivate()));
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,admin,system:masters\n");
    start(
        "kube-apiserver",
        "--etcd-servers=http://127.0.0.1:" + etcd,
        "--bind-address=127.0.0.1",
        "--advertise-address=203.0.113.1",
        "--endpoint-reconciler-type=none",
        "--secure-port=" + port,
        "--cert-dir=" + folder.resolve("certs"),
        "--service-cluster-ip-range=198.51.100.128/25",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + key,
        "--service-account-signing-key-file=" + key,
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC",
        "--disable-admission-plugins=ServiceAccount");
  }

  private void start(String component, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString(), component));
    command.addAll(List.of(arguments));
    processes.add(
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(component + ".log").toFile())
            .start());
  }

  private static KubernetesClient client(int port) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:" + port)
            .withOauthToken(TOKEN)
            .withTrustCerts(true)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private void awaitReady() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(300))
        .until(this::isReady);
  }

  private boolean isReady() {
    for (Process process : processes) {
      if (!process.isAlive()) {
        throw new IllegalStateException("a process has ended: " + lastWords());
      }
    }
    try {
      return "ok".equals(client.raw("/readyz"));
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  /** The end of each log, since the folder goes when the test ends. */
  private String lastWords() {
    StringBuilder words = new StringBuilder();
    for (String component : List.of("etcd", "kube-apiserver")) {
      try {
        List<String> lines = Files.readAllLines(folder.resolve(component + ".log"));
        words.append('\n').append(component).append(":\n");
        words.append(String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size())));
      } catch (IOException e) {
        words.append(e.getMessage());
      }
    }
    return words.toString();
  }

  private void installCustomResources() {
    try (Stream<Path> files = Files.list(CRDS)) {
      for (Path file : files.toList()) {
        var crd = client.apiextensions().v1().customResourceDefinitions().load(file.toFile());
        crd.create();
        crd.waitUntilCondition(
            it ->
                it.getStatus() != null
                    && it.getStatus().getConditions() != null
                    && it.getStatus().getConditions().stream()
                        .anyMatch(
                            c -> c.getType().equals("Established") && c.getStatus().equals("True")),
            30,
            TimeUnit.SECONDS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    client.close();
    for (Process process : processes.reversed()) {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(it -> it.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
