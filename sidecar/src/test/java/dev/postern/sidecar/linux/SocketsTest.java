package dev.postern.sidecar.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SocketsTest {

  private final Sockets sockets = new Sockets();
  private final Libc libc = new Libc();

  @Test
  void shouldTakeIpv4WhenListeningOnAllAddresses() throws IOException {
    int listener = sockets.listen(Sockaddr.of("::", 0), 10, false);
    assertThat(listener).isPositive();
    Sockaddr at = sockets.local(listener);
    try (Socket peer = new Socket(InetAddress.ofLiteral("127.0.0.1"), at.port())) {
      int fd = acceptBlocking(listener);

      assertThat(sockets.remote(fd)).isEqualTo(Sockaddr.of("127.0.0.1", peer.getLocalPort()));
      assertThat(sockets.local(fd)).isEqualTo(Sockaddr.of("127.0.0.1", at.port()));
      libc.close(fd);
    }
    libc.close(listener);
  }

  @Test
  void shouldReportAddressInUseWhenSomebodyListensThere() {
    int first = sockets.listen(Sockaddr.of("127.0.0.1", 0), 10, false);
    int port = sockets.local(first).port();

    assertThat(sockets.listen(Sockaddr.of("127.0.0.1", port), 10, false))
        .isEqualTo(-Errno.EADDRINUSE);
    libc.close(first);
  }

  @Test
  void shouldShareThePortWhenAllAskForIt() {
    int first = sockets.listen(Sockaddr.of("127.0.0.1", 0), 10, true);
    int second = sockets.listen(sockets.local(first), 10, true);

    assertThat(second).isPositive();
    libc.close(first);
    libc.close(second);
  }

  @Test
  void shouldResetThePeerWhenAskedTo() throws IOException {
    int listener = sockets.listen(Sockaddr.of("127.0.0.1", 0), 10, false);
    try (Socket peer =
        new Socket(InetAddress.getLoopbackAddress(), sockets.local(listener).port())) {
      int fd = acceptBlocking(listener);
      assertThat(sockets.resetOnClose(fd)).isZero();
      libc.close(fd);

      assertThatReset(() -> peer.getInputStream().read());
    }
    libc.close(listener);
  }

  private static void assertThatReset(Executable read) {
    org.junit.jupiter.api.Assertions.assertThrows(SocketException.class, read);
  }

  @Test
  void shouldKnowNoOriginalDestinationWhenNothingWasRedirected() throws IOException {
    int listener = sockets.listen(Sockaddr.of("127.0.0.1", 0), 10, false);
    try (Socket peer =
        new Socket(InetAddress.getLoopbackAddress(), sockets.local(listener).port())) {
      int fd = acceptBlocking(listener);
      Sockaddr original = sockets.originalDestination(fd);

      // With connection tracking in place the kernel answers with the plain destination.
      assertThat(original).isIn(null, sockets.local(fd));
      assertThat(peer.isConnected()).isTrue();
      libc.close(fd);
    }
    libc.close(listener);
  }

  @Test
  void shouldReturnErrnoWhenTheDescriptorIsNone() {
    assertThat(libc.recv(99_999, 0, 0, 0)).isEqualTo(-Errno.EBADF);
    assertThat(sockets.noDelay(99_999)).isEqualTo(-Errno.EBADF);
    assertThat(sockets.remote(99_999)).isNull();
    assertThat(Errno.name(Errno.EBADF)).isEqualTo("EBADF");
    assertThat(Errno.name(4000)).isEqualTo("errno 4000");
  }

  @Test
  void shouldConfineTheThreadWhenTheCpuIsAllowed() throws InterruptedException {
    BitSet allowed = CpuAffinity.current();
    assertThat(allowed.cardinality()).isPositive();
    BitSet one = new BitSet();
    one.set(allowed.nextSetBit(0));
    BitSet[] seen = new BitSet[1];
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  if (CpuAffinity.confine(one) == 0) {
                    seen[0] = CpuAffinity.current();
                  }
                });
    thread.join();

    assertThat(seen[0]).isEqualTo(one);
    assertThat(CpuAffinity.current()).isEqualTo(allowed);
  }

  @Test
  void shouldKnowTheLimitOfDescriptors() {
    assertThat(ProcessLimits.soft(ProcessLimits.RLIMIT_NOFILE)).isGreaterThan(100);
  }

  private int acceptBlocking(int listener) {
    try (Arena arena = Arena.ofConfined()) {
      long pollfd = arena.allocate(8, 8).address();
      Memory.putInt(pollfd, listener);
      Memory.putShort(pollfd + 4, (short) 1);
      assertThat(libc.poll(pollfd, 1, 5000)).isEqualTo(1);
    }
    return libc.accept4(listener, 0);
  }
}
