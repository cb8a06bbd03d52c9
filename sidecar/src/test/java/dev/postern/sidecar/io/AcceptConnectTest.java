package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.LoopHarness.Completion;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.ProcessLimits;
import dev.postern.sidecar.linux.Sockaddr;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(IoKind.class)
class AcceptConnectTest {

  @Parameter IoKind kind;
  LoopHarness io;

  @BeforeEach
  void open() {
    io = new LoopHarness(kind);
  }

  @AfterEach
  void close() {
    if (io != null) {
      io.close();
    }
  }

  @Test
  void shouldAcceptWhenAClientIsInTheQueue() throws IOException {
    int listener = io.listen();
    try (Socket peer = io.dial(listener)) {
      int fd = io.accept(listener);

      assertThat(io.sockets.remote(fd).port()).isEqualTo(peer.getLocalPort());
      io.loop.close(fd);
    }
    io.loop.close(listener);
  }

  @Test
  void shouldWaitWithAcceptWhenNoClientIsThere() throws IOException {
    int listener = io.listen();
    io.loop.accept(listener, 7);
    assertThat(io.runFor(Duration.ofMillis(20))).isZero();
    try (Socket peer = io.dial(listener)) {
      int fd = io.await(7).result();

      assertThat(io.sockets.remote(fd).port()).isEqualTo(peer.getLocalPort());
      io.loop.close(fd);
    }
    io.loop.close(listener);
  }

  @Test
  void shouldAcceptAllWhenManyClientsCameAtOnce() throws IOException {
    int listener = io.listen();
    Socket[] peers = new Socket[50];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = io.dial(listener);
    }
    for (Socket peer : peers) {
      io.loop.close(io.accept(listener));
      peer.close();
    }
    io.loop.close(listener);
  }

  @Test
  void shouldConnectWhenSomebodyListens() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      int fd = io.sockets.open(Sockaddr.AF_INET);

      assertThat(connect(fd, server.getLocalPort())).isZero();
      assertThat(io.sockets.remote(fd).port()).isEqualTo(server.getLocalPort());
      io.loop.close(fd);
    }
  }

  @Test
  void shouldReportRefusedWhenNobodyListens() throws IOException {
    int port;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
    }
    int fd = io.sockets.open(Sockaddr.AF_INET);

    assertThat(connect(fd, port)).isEqualTo(-Errno.ECONNREFUSED);
    io.loop.close(fd);
  }

  @Test
  void shouldReportEmfileWhenDescriptorsRunOut() throws IOException {
    int listener = io.listen();
    try (Socket peer = io.dial(listener)) {
      io.runFor(Duration.ofMillis(1));
      long token = io.token();
      io.loop.accept(listener, token);
      Completion completion = withNoDescriptorLeft(() -> io.await(token));
      assertThat(completion.result()).isEqualTo(-Errno.EMFILE);

      int fd = io.accept(listener);
      assertThat(io.sockets.remote(fd).port()).isEqualTo(peer.getLocalPort());
      io.loop.close(fd);
    }
    io.loop.close(listener);
  }

  /** The soft limit is moved down to the lowest free number, so that no other can be given. */
  private Completion withNoDescriptorLeft(java.util.function.Supplier<Completion> action) {
    LibcSetup libc = new LibcSetup();
    int lowestFree = io.sockets.open(Sockaddr.AF_INET);
    io.loop.close(lowestFree);
    long limits = io.allocate(16);
    LoopHarness.require(libc.getrlimit(ProcessLimits.RLIMIT_NOFILE, limits));
    long soft = Memory.getLong(limits);
    Memory.putLong(limits, lowestFree);
    LoopHarness.require(libc.setrlimit(ProcessLimits.RLIMIT_NOFILE, limits));
    try {
      return action.get();
    } finally {
      Memory.putLong(limits, soft);
      LoopHarness.require(libc.setrlimit(ProcessLimits.RLIMIT_NOFILE, limits));
    }
  }

  private int connect(int fd, int port) {
    long sockaddr = io.allocate(Sockaddr.STORAGE_BYTES);
    long token = io.token();
    io.loop.connect(fd, sockaddr, Sockaddr.of("127.0.0.1", port).write(sockaddr), token);
    return io.await(token).result();
  }
}
