package dev.postern.sidecar.io;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.LoopHarness.Pair;
import dev.postern.sidecar.linux.Errno;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(IoKind.class)
class RecvTest {

  private static final LoopSettings EIGHT_BUFFERS = LoopSettings.DEFAULT.withBuffers(4096, 8);

  @Parameter IoKind kind;
  LoopHarness io;

  @BeforeEach
  void open() {
    io = new LoopHarness(kind, EIGHT_BUFFERS);
  }

  @AfterEach
  void close() {
    if (io != null) {
      io.close();
    }
  }

  @Test
  void shouldReceiveWhenDataIsThereAlready() throws IOException {
    Pair pair = io.pair();
    write(pair, "hello");

    assertThat(io.recv(pair.fd())).isEqualTo("hello");
    assertThat(io.loop.buffers().lent()).isZero();
  }

  @Test
  void shouldReceiveWhenDataComesLater() throws IOException {
    Pair pair = io.pair();
    io.loop.recv(pair.fd(), 4096, 5);
    assertThat(io.runFor(Duration.ofMillis(20))).isZero();
    write(pair, "later");

    assertThat(io.text(io.await(5))).isEqualTo("later");
  }

  @Test
  void shouldHoldNoBufferWhenConnectionsAreIdle() throws IOException {
    for (int i = 0; i < 20; i++) {
      io.loop.recv(io.pair().fd(), 4096, 1000 + i);
    }
    io.runFor(Duration.ofMillis(20));

    assertThat(io.loop.buffers().lent()).isZero();
    assertThat(io.loop.buffers().acquire()).isNotEqualTo(BufferPool.NONE);
  }

  @Test
  void shouldTakeNoMoreThanAskedForWhenMoreIsThere() throws IOException {
    Pair pair = io.pair();
    write(pair, "abcdef");
    io.loop.recv(pair.fd(), 4, 1000);

    assertThat(io.text(io.await(1000))).isEqualTo("abcd");
    assertThat(io.recv(pair.fd())).isEqualTo("ef");
  }

  @Test
  void shouldReportZeroWhenThePeerEnds() throws IOException {
    Pair pair = io.pair();
    pair.peer().shutdownOutput();

    assertThat(io.recv(pair.fd())).isEmpty();
    assertThat(io.recv(pair.fd())).as("FIN stays").isEmpty();
    assertThat(io.loop.buffers().lent()).isZero();
  }

  @Test
  void shouldReportZeroWhenFinCameTogetherWithData() throws IOException {
    Pair pair = io.pair();
    io.loop.recv(pair.fd(), 4096, 1000);
    io.runFor(Duration.ofMillis(10));
    write(pair, "last words");
    pair.peer().shutdownOutput();
    sleep(20);

    assertThat(io.text(io.await(1000))).isEqualTo("last words");
    assertThat(io.recv(pair.fd())).isEmpty();
  }

  @Test
  void shouldReportResetWhenThePeerResets() throws IOException {
    Pair pair = io.pair();
    io.loop.recv(pair.fd(), 4096, 1000);
    io.runFor(Duration.ofMillis(10));
    pair.peer().setSoLinger(true, 0);
    pair.peer().close();

    assertThat(io.await(1000).result()).isEqualTo(-Errno.ECONNRESET);
  }

  @Test
  void shouldReadOnWhenUrgentDataStoppedAReadShort() throws IOException {
    Pair pair = io.pair();
    io.loop.recv(pair.fd(), 4096, 1000);
    io.runFor(Duration.ofMillis(10));
    write(pair, "before");
    pair.peer().sendUrgentData('!');
    write(pair, "after");
    sleep(20);

    StringBuilder got = new StringBuilder(io.text(io.await(1000)));
    while (got.length() < "beforeafter".length()) {
      got.append(io.recv(pair.fd()));
    }
    assertThat(got).hasToString("beforeafter");
  }

  @Test
  void shouldReadToTheEndWhenReadsAreShorterThanTheData() throws IOException {
    Pair pair = io.pair();
    String all = "0123456789".repeat(5000);
    Thread writer = Thread.ofVirtual().start(() -> writeUnchecked(pair, all));
    StringBuilder got = new StringBuilder();
    while (got.length() < all.length()) {
      got.append(io.recv(pair.fd()));
    }

    assertThat(got).hasToString(all);
    assertThat(writer.isAlive() && got.length() < all.length()).isFalse();
  }

  @Test
  void shouldWaitForABufferWhenNoneIsLeftAndGoOnAfterRelease() throws IOException {
    List<Integer> held = new ArrayList<>();
    io.runFor(Duration.ofMillis(1));
    for (int b = io.loop.buffers().acquire(); b >= 0; b = io.loop.buffers().acquire()) {
      held.add(b);
    }
    assertThat(held).isNotEmpty();
    int connections = 12;
    for (int i = 0; i < connections; i++) {
      Pair pair = io.pair();
      write(pair, "data " + i);
      io.loop.recv(pair.fd(), 4096, 1000 + i);
    }
    io.runFor(Duration.ofMillis(50));
    int completed = countCompleted(connections);
    assertThat(completed).isEqualTo(EIGHT_BUFFERS.bufferCount() - held.size());
    assertThat(io.loop.buffers().lent()).isEqualTo(EIGHT_BUFFERS.bufferCount());

    held.forEach(io.loop.buffers()::release);
    for (int i = 0; i < connections; i++) {
      assertThat(io.text(io.await(1000 + i))).isEqualTo("data " + i);
    }
    assertThat(io.loop.buffers().lent()).isZero();
  }

  @Test
  void shouldHandOutABoundedNumberWhenMoreAreReady() throws IOException {
    io.close();
    io = new LoopHarness(kind, new LoopSettings(4096, 64, 4, 64, 128, 16));
    int connections = 15;
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      pairs.add(io.pair());
      write(pairs.getLast(), "x");
    }
    io.done.clear();
    for (int i = 0; i < connections; i++) {
      io.loop.recv(pairs.get(i).fd(), 4096, 1000 + i);
    }
    for (int runs = 0; runs < 100 && io.done.size() < connections; runs++) {
      int before = io.done.size();
      int completed = io.loop.run(1_000_000, io::record);
      assertThat(completed).isEqualTo(io.done.size() - before).isLessThanOrEqualTo(4);
    }
    assertThat(countCompleted(connections)).isEqualTo(connections);
  }

  @Test
  void shouldServeInOrderWhenManyWaitForOneBuffer() throws IOException {
    io.runFor(Duration.ofMillis(1));
    List<Integer> held = new ArrayList<>();
    for (int b = io.loop.buffers().acquire(); b >= 0; b = io.loop.buffers().acquire()) {
      held.add(b);
    }
    int inKernel = EIGHT_BUFFERS.bufferCount() - held.size();
    for (int i = 0; i < inKernel + 4; i++) {
      Pair pair = io.pair();
      write(pair, "data " + i);
      io.loop.recv(pair.fd(), 4096, 1000 + i);
    }
    io.runFor(Duration.ofMillis(50));
    for (int i = 0; i < 4; i++) {
      assertThat(io.done).doesNotContainKey(1000L + inKernel + i);
      io.loop.buffers().release(held.removeLast());
      assertThat(io.await(1000L + inKernel + i).result()).isPositive();
    }
  }

  private int countCompleted(int connections) {
    int completed = 0;
    for (int i = 0; i < connections; i++) {
      completed += io.done.containsKey(1000L + i) ? 1 : 0;
    }
    return completed;
  }

  private static void write(Pair pair, String text) throws IOException {
    pair.peer().getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static void writeUnchecked(Pair pair, String text) {
    try {
      write(pair, text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void sleep(long ms) {
    java.util.concurrent.locks.LockSupport.parkNanos(ms * 1_000_000);
  }
}
