package dev.postern.sidecar.io.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.io.CompletionHandler;
import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the loop's system calls from outside, by strace. */
class SystemCallsTest {

  private static final int CONNECTIONS = 8;
  private static final int MESSAGES = 2000;
  // What set-up, first waits and a spurious wake or two may cost.
  private static final int SLACK = 10 * CONNECTIONS;

  @Test
  void shouldMakeTwoCallsAMessageAndRegisterOnceWhenConnectionsAreBusy(@TempDir Path folder)
      throws IOException, InterruptedException {
    Map<String, Integer> calls = count(folder.resolve("calls"));

    assertThat(calls.get("epoll_ctl")).isLessThanOrEqualTo(2 * CONNECTIONS + 2);
    assertThat(calls.get("sendto")).isBetween(MESSAGES, MESSAGES + SLACK);
    assertThat(calls.get("recvfrom")).isBetween(MESSAGES, MESSAGES + SLACK);
    assertThat(calls.get("epoll_wait")).isLessThanOrEqualTo(MESSAGES + SLACK);
  }

  private static Map<String, Integer> count(Path summary) throws IOException, InterruptedException {
    Path strace = Path.of("/usr/bin/strace");
    Assumptions.assumeTrue(Files.isExecutable(strace), "strace is not installed");
    Process process =
        new ProcessBuilder(
                strace.toString(),
                "-f",
                "-c",
                "--seccomp-bpf",
                "-o",
                summary.toString(),
                "-e",
                "trace=epoll_ctl,epoll_wait,recvfrom,sendto",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                PingPong.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    Assumptions.assumeFalse(output.contains("PTRACE"), "ptrace(2) is not allowed here");
    assertThat(status).as(output).isZero();
    return parse(summary);
  }

  /** Lines of {@code strace -c}: % time, seconds, usecs/call, calls, perhaps errors, name. */
  private static Map<String, Integer> parse(Path summary) throws IOException {
    Map<String, Integer> calls = new HashMap<>();
    for (String line : Files.readAllLines(summary)) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length >= 5 && words[3].matches("\\d+")) {
        calls.put(words[words.length - 1], Integer.parseInt(words[3]));
      }
    }
    return calls;
  }

  /** TCP connections of one loop with itself, over which messages go back and forth. */
  static final class PingPong implements CompletionHandler {
    private static final int CONNECTED = 1 << 16;
    private static final int ACCEPTED = 2 << 16;
    private static final int RECEIVED = 3 << 16;
    private static final int SENT = 4 << 16;

    private final EpollLoop loop = new EpollLoop(LoopSettings.DEFAULT);
    private final Sockets sockets = new Sockets();
    private final long sockaddr = Arena.global().allocate(Sockaddr.STORAGE_BYTES, 8).address();
    private final int listener = sockets.listen(Sockaddr.of("127.0.0.1", 0), 100, false);
    private int ready;
    private int sent;

    public static void main(String[] arguments) {
      new PingPong().play();
    }

    private void play() {
      int bytes = sockets.local(listener).write(sockaddr);
      for (int i = 0; i < CONNECTIONS; i++) {
        int fd = sockets.open(Sockaddr.AF_INET);
        sockets.noDelay(fd);
        loop.connect(fd, sockaddr, bytes, CONNECTED | fd);
        loop.accept(listener, ACCEPTED | i);
      }
      while (ready < 2 * CONNECTIONS || sent < MESSAGES) {
        loop.run(-1, this);
      }
      Memory.putLong(sockaddr, 0);
    }

    @Override
    public void onCompletion(long token, int result, int buffer) {
      if (result < 0) {
        throw new IllegalStateException("token " + token + ": " + result);
      }
      int fd = (int) token & 0xffff;
      switch ((int) token & ~0xffff) {
        case CONNECTED -> start(fd, true);
        case ACCEPTED -> start(result, false);
        case RECEIVED -> answer(fd, buffer);
        case SENT -> loop.recv(fd, 100, RECEIVED | fd);
        default -> throw new IllegalStateException("token " + token);
      }
    }

    private void start(int fd, boolean first) {
      ready++;
      if (first) {
        send(fd);
      } else {
        sockets.noDelay(fd);
        loop.recv(fd, 100, RECEIVED | fd);
      }
    }

    private void answer(int fd, int buffer) {
      assert buffer != BufferPool.NONE;
      loop.buffers().release(buffer);
      if (sent < MESSAGES) {
        send(fd);
      }
    }

    private void send(int fd) {
      sent++;
      loop.send(fd, sockaddr, 16, SENT | fd);
    }
  }
}
