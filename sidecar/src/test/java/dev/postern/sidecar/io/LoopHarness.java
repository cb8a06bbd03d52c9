package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.epoll.EpollLoop;
import dev.postern.sidecar.io.uring.UringLoop;
import dev.postern.sidecar.io.uring.UringProbe;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.Probe;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** One loop under test, its completions by token, and real TCP peers on loopback. */
final class LoopHarness implements AutoCloseable {

  static final LoopSettings SMALL = LoopSettings.DEFAULT.withBuffers(4096, 64);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final CompletionLoop loop;
  final Sockets sockets = new Sockets();
  final Map<Long, Completion> done = new HashMap<>();
  private final Arena arena = Arena.ofShared();
  private long nextToken;

  /** What came for one token. */
  record Completion(int result, int buffer) {}

  /** Our descriptor and the peer that it talks to. */
  record Pair(int fd, Socket peer) {}

  LoopHarness(IoKind kind) {
    this(kind, SMALL);
  }

  LoopHarness(IoKind kind, LoopSettings settings) {
    loop = open(kind, settings);
  }

  static CompletionLoop open(IoKind kind, LoopSettings settings) {
    return switch (kind) {
      case EPOLL -> new EpollLoop(settings);
      case IO_URING -> {
        Probe probe = UringProbe.probe();
        Assumptions.assumeTrue(probe.available(), probe::toString);
        yield new UringLoop(settings);
      }
    };
  }

  long token() {
    return nextToken++;
  }

  long allocate(int bytes) {
    return arena.allocate(bytes, 8).address();
  }

  int listen() {
    return require(sockets.listen(Sockaddr.of("127.0.0.1", 0), 1024, false));
  }

  int port(int listenFd) {
    return sockets.local(listenFd).port();
  }

  Socket dial(int listenFd) throws IOException {
    Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(listenFd));
    peer.setTcpNoDelay(true);
    peer.setSoTimeout((int) PATIENCE.toMillis());
    return peer;
  }

  /** A connected pair, accepted through the loop. */
  Pair pair() throws IOException {
    int listener = listen();
    Socket peer = dial(listener);
    Pair pair = new Pair(accept(listener), peer);
    loop.close(listener);
    return pair;
  }

  int accept(int listenFd) {
    long token = token();
    loop.accept(listenFd, token);
    return require(await(token).result());
  }

  /** Receives once and gives the buffer back. */
  String recv(int fd) {
    long token = token();
    loop.recv(fd, loop.buffers().sizeBytes(), token);
    return text(await(token));
  }

  String text(Completion completion) {
    byte[] bytes = new byte[require(completion.result())];
    if (bytes.length > 0) {
      Memory.copyOut(loop.buffers().address(completion.buffer()), bytes, 0, bytes.length);
      loop.buffers().release(completion.buffer());
    }
    return new String(bytes, java.nio.charset.StandardCharsets.US_ASCII);
  }

  Completion await(long token) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!done.containsKey(token)) {
      long left = deadline - System.nanoTime();
      assertThat(left).as("token %s did not complete in time", token).isPositive();
      loop.run(left, this::record);
    }
    return done.get(token);
  }

  /** Lets the loop run for a while and returns how many completions came. */
  int runFor(Duration duration) {
    long deadline = System.nanoTime() + duration.toNanos();
    int completions = 0;
    for (long left = duration.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      completions += loop.run(left, this::record);
    }
    return completions;
  }

  void record(long token, int result, int buffer) {
    Completion before = done.put(token, new Completion(result, buffer));
    assertThat(before).as("token %s completed twice", token).isNull();
  }

  static int require(int result) {
    assertThat(result).as("a call failed with a negative errno").isNotNegative();
    return result;
  }

  @Override
  public void close() {
    loop.close();
    arena.close();
  }
}
