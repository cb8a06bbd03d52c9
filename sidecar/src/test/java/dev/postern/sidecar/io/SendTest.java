package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.LoopHarness.Pair;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.Sockets;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(IoKind.class)
class SendTest {

  private static final int CHUNK_BYTES = 1 << 20;
  private static final int CHUNKS = 64;

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
  void shouldSendWhatWasAskedForWhenThePeerHasRoom() throws IOException {
    Pair pair = io.pair();
    long address = io.allocate(5);
    Memory.copyIn("hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII), 0, address, 5);
    io.loop.send(pair.fd(), address, 5, 1000);

    assertThat(io.await(1000).result()).isEqualTo(5);
    assertThat(pair.peer().getInputStream().readNBytes(5)).asString().isEqualTo("hello");
  }

  @Test
  void shouldWaitWhenThePeerDoesNotRead() throws IOException {
    Pair pair = io.pair();
    long address = io.allocate(CHUNK_BYTES);
    long token = 1000;
    long sent = 0;
    io.loop.send(pair.fd(), address, CHUNK_BYTES, token);
    while (io.runFor(Duration.ofMillis(50)) > 0) {
      sent += LoopHarness.require(io.done.get(token).result());
      io.loop.send(pair.fd(), address, CHUNK_BYTES, ++token);
    }
    assertThat(io.done).doesNotContainKey(token);

    pair.peer().getInputStream().skipNBytes(sent);
    assertThat(io.await(token).result()).isPositive();
  }

  @Test
  void shouldDeliverEveryByteInOrderWhenTheReaderIsSlow() throws Exception {
    Pair pair = io.pair();
    io.sockets.set(pair.fd(), Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, 128 * 1024);
    long address = io.allocate(CHUNK_BYTES);
    FutureTask<byte[]> reader = new FutureTask<>(slowReader(pair.peer().getInputStream()));
    Thread.ofPlatform().start(reader);
    MessageDigest expected = sha256();
    Random random = new Random(1);
    byte[] chunk = new byte[CHUNK_BYTES];
    int shortSends = 0;
    for (int i = 0; i < CHUNKS; i++) {
      random.nextBytes(chunk);
      expected.update(chunk);
      Memory.copyIn(chunk, 0, address, CHUNK_BYTES);
      shortSends += sendAll(pair.fd(), address);
    }
    io.loop.close(pair.fd());

    assertThat(reader.get()).isEqualTo(expected.digest());
    assertThat(shortSends).as("the test must have met back-pressure").isPositive();
  }

  private int sendAll(int fd, long address) {
    int shortSends = 0;
    for (int offset = 0; offset < CHUNK_BYTES; ) {
      long token = io.token();
      io.loop.send(fd, address + offset, CHUNK_BYTES - offset, token);
      offset += LoopHarness.require(io.await(token).result());
      shortSends += offset < CHUNK_BYTES ? 1 : 0;
    }
    return shortSends;
  }

  private static Callable<byte[]> slowReader(InputStream in) {
    return () -> {
      MessageDigest digest = sha256();
      byte[] bytes = new byte[96 * 1024];
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        digest.update(bytes, 0, n);
        LockSupport.parkNanos(100_000);
      }
      return digest.digest();
    };
  }

  private static MessageDigest sha256() throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256");
  }

  @Test
  void shouldReportAnErrorAndNoSignalWhenThePeerHasReset() throws IOException {
    Pair pair = io.pair();
    pair.peer().setSoLinger(true, 0);
    pair.peer().close();
    LockSupport.parkNanos(20_000_000);
    long address = io.allocate(5);
    io.loop.send(pair.fd(), address, 5, 1000);

    assertThat(io.await(1000).result()).isIn(-Errno.EPIPE, -Errno.ECONNRESET);
  }

  @Test
  void shouldReceiveAndSendAtOnceWhenBothAreInFlight() throws IOException {
    Pair pair = io.pair();
    long address = io.allocate(CHUNK_BYTES);
    long token = 1000;
    do {
      io.loop.send(pair.fd(), address, CHUNK_BYTES, ++token);
    } while (io.runFor(Duration.ofMillis(50)) > 0);
    pair.peer().getOutputStream().write('x');

    assertThat(io.recv(pair.fd())).isEqualTo("x");
    assertThat(io.done).doesNotContainKey(token);
  }
}
