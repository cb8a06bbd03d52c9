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
class PollCancelCloseTest {

  private static final int POLLIN = 1;
  private static final int POLLOUT = 4;
  private static final int POLLRDHUP = 0x2000;
  private static final Duration SHORT = Duration.ofMillis(20);

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
  void shouldPollReadableWhenDataComes() throws IOException {
    Pair pair = io.pair();
    io.loop.poll(pair.fd(), POLLIN, 1000);
    assertThat(io.runFor(SHORT)).isZero();
    pair.peer().getOutputStream().write('x');

    assertThat(io.await(1000).result()).isEqualTo(POLLIN);
    assertThat(io.recv(pair.fd())).isEqualTo("x");
  }

  @Test
  void shouldPollAgainWhenTheLevelIsStillThere() throws IOException {
    Pair pair = io.pair();
    pair.peer().getOutputStream().write('x');
    io.loop.poll(pair.fd(), POLLIN, 1000);
    io.await(1000);
    io.loop.poll(pair.fd(), POLLIN, 1001);

    assertThat(io.await(1001).result()).isEqualTo(POLLIN);
  }

  @Test
  void shouldPollWritableWhenThereIsRoom() throws IOException {
    Pair pair = io.pair();
    io.loop.poll(pair.fd(), POLLOUT, 1000);

    assertThat(io.await(1000).result()).isEqualTo(POLLOUT);
  }

  @Test
  void shouldPollTheEndWhenThePeerEnds() throws IOException {
    Pair pair = io.pair();
    io.loop.poll(pair.fd(), POLLRDHUP, 1000);
    assertThat(io.runFor(SHORT)).isZero();
    pair.peer().getOutputStream().write('x');
    assertThat(io.runFor(SHORT)).isZero();
    pair.peer().shutdownOutput();

    assertThat(io.await(1000).result()).isEqualTo(POLLRDHUP);
  }

  @Test
  void shouldCancelOnceWhenNothingHasHappened() throws IOException {
    int listener = io.listen();
    Pair pair = io.pair();
    io.loop.recv(pair.fd(), 100, 1000);
    io.loop.poll(pair.fd(), POLLRDHUP, 1001);
    io.loop.accept(listener, 1002);
    io.runFor(SHORT);
    for (long token = 1000; token <= 1002; token++) {
      io.loop.cancel(token);
      io.loop.cancel(token);
    }
    io.runFor(SHORT);

    for (long token = 1000; token <= 1002; token++) {
      assertThat(io.await(token).result()).isEqualTo(-Errno.ECANCELED);
    }
    assertThat(io.loop.buffers().lent()).isZero();
    io.loop.close(listener);
    io.loop.close(pair.fd());
  }

  @Test
  void shouldCancelOnceWhenQueuedInTheSameTurn() throws IOException {
    Pair pair = io.pair();
    io.loop.recv(pair.fd(), 100, 1000);
    io.loop.cancel(1000);

    assertThat(io.await(1000).result()).isEqualTo(-Errno.ECANCELED);
    assertThat(io.runFor(SHORT)).isZero();
  }

  @Test
  void shouldCompleteOnceWhenDataRacesWithTheCancel() throws IOException {
    Pair pair = io.pair();
    int canceled = 0;
    for (int i = 0; i < 500; i++) {
      long token = 1000L + i;
      io.loop.recv(pair.fd(), 100, token);
      io.loop.run(0, io::record);
      pair.peer().getOutputStream().write('x');
      io.loop.cancel(token);
      int result = io.await(token).result();
      if (result == -Errno.ECANCELED) {
        canceled++;
        assertThat(io.recv(pair.fd())).isEqualTo("x");
      } else {
        assertThat(io.text(io.done.get(token))).isEqualTo("x");
      }
    }
    assertThat(canceled).isBetween(0, 500);
    assertThat(io.loop.buffers().lent()).isZero();
  }

  @Test
  void shouldCancelASendWhenThePeerDoesNotRead() throws IOException {
    Pair pair = io.pair();
    long address = io.allocate(1 << 20);
    long token = 1000;
    do {
      io.loop.send(pair.fd(), address, 1 << 20, ++token);
    } while (io.runFor(Duration.ofMillis(50)) > 0);
    io.loop.cancel(token);

    assertThat(io.await(token).result()).isEqualTo(-Errno.ECANCELED);
  }

  @Test
  void shouldCancelARecvWhenItWaitsForABuffer() throws IOException {
    io.runFor(Duration.ofMillis(1));
    List<Integer> held = new ArrayList<>();
    for (int b = io.loop.buffers().acquire(); b >= 0; b = io.loop.buffers().acquire()) {
      held.add(b);
    }
    int more = LoopHarness.SMALL.bufferCount() - held.size() + 1;
    for (int i = 0; i < more; i++) {
      Pair pair = io.pair();
      pair.peer().getOutputStream().write('x');
      io.loop.recv(pair.fd(), 100, 1000 + i);
    }
    io.runFor(SHORT);
    long waiting = 1000L + more - 1;
    assertThat(io.done).doesNotContainKey(waiting);
    io.loop.cancel(waiting);

    assertThat(io.await(waiting).result()).isEqualTo(-Errno.ECANCELED);
    held.forEach(io.loop.buffers()::release);
    assertThat(io.runFor(SHORT)).isZero();
  }

  @Test
  void shouldIgnoreACancelWhenTheTokenIsNotInFlight() throws IOException {
    Pair pair = io.pair();
    io.loop.cancel(4711);
    pair.peer().getOutputStream().write("still here".getBytes(US_ASCII));

    assertThat(io.recv(pair.fd())).isEqualTo("still here");
    assertThat(io.runFor(SHORT)).isZero();
  }

  @Test
  void shouldLetTheTokenBeUsedAgainWhenItsOperationHasEnded() throws IOException {
    Pair pair = io.pair();
    for (int i = 0; i < 100; i++) {
      pair.peer().getOutputStream().write('x');
      io.loop.recv(pair.fd(), 100, 1000);
      assertThat(io.text(io.await(1000))).isEqualTo("x");
      io.done.clear();
    }
  }

  @Test
  void shouldSendFinWhenTheDescriptorIsClosed() throws IOException {
    Pair pair = io.pair();
    io.loop.close(pair.fd());
    io.runFor(SHORT);

    assertThat(pair.peer().getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void shouldServeTheNewConnectionWhenItsDescriptorNumberWasUsedBefore() throws IOException {
    int reused = 0;
    int last = -1;
    for (int i = 0; i < 200; i++) {
      Pair pair = io.pair();
      reused += pair.fd() == last ? 1 : 0;
      last = pair.fd();
      io.loop.recv(pair.fd(), 100, 5000);
      io.loop.run(0, io::record);
      pair.peer().getOutputStream().write(("hello " + i).getBytes(US_ASCII));
      assertThat(io.text(io.await(5000))).isEqualTo("hello " + i);
      io.done.clear();
      pair.peer().close();
      io.loop.close(pair.fd());
    }
    assertThat(reused).as("descriptor numbers were reused").isPositive();
  }
}
