package dev.postern.sidecar.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A real redirect by nftables, in a network namespace of its own. */
class OriginalDestinationTest {

  private static final int NO_REDIRECT_HERE = 77;
  private static final int TLS_PORT = 15443;
  private static final String SETUP =
      """
      ip link set lo up && nft -f - <<RULES || exit 77
      table inet t {
        chain c {
          type nat hook output priority -100;
          tcp dport { 8080, 9090 } redirect to :15443
        }
      }
      RULES
      exec "$@"
      """;

  @Test
  void shouldNameThePortThatTheClientDialledWhenNftablesRedirectsIt()
      throws IOException, InterruptedException {
    Path unshare = Path.of("/usr/bin/unshare");
    Assumptions.assumeTrue(Files.isExecutable(unshare), "unshare is not installed");
    Process process =
        new ProcessBuilder(
                unshare.toString(),
                "--map-root-user",
                "--net",
                "sh",
                "-c",
                SETUP,
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Redirected.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    Assumptions.assumeFalse(
        status == NO_REDIRECT_HERE || output.contains("unshare"), "no redirect here: " + output);

    assertThat(output.lines())
        .containsExactly("127.0.0.1:8080", "[0:0:0:0:0:0:0:1]:9090", "127.0.0.1:9090");
    assertThat(status).isZero();
  }

  /**
   * One listener on all addresses, as the sidecar has it; prints where each client wanted to go.
   */
  static final class Redirected {
    public static void main(String[] arguments) throws IOException {
      Sockets sockets = new Sockets();
      int listener = sockets.listen(Sockaddr.of("::", TLS_PORT), 10, false);
      dial(sockets, listener, "127.0.0.1", 8080);
      dial(sockets, listener, "::1", 9090);
      dial(sockets, listener, "127.0.0.1", 9090);
    }

    private static void dial(Sockets sockets, int listener, String host, int port)
        throws IOException {
      try (Socket client = new Socket(InetAddress.ofLiteral(host), port)) {
        Libc libc = new Libc();
        int fd = libc.accept4(listener, 0);
        while (fd == -Errno.EAGAIN) {
          LockSupport.parkNanos(1_000_000);
          fd = libc.accept4(listener, 0);
        }
        System.out.println(sockets.originalDestination(fd));
        libc.close(fd);
        assert client.isConnected();
      }
    }
  }
}
