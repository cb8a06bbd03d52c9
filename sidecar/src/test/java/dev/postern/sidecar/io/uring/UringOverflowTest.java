package dev.postern.sidecar.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Memory;
import java.lang.foreign.Arena;
import java.util.BitSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rings of eight entries: what does not fit must be kept, by us or by the kernel. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UringOverflowTest {

  private static final LoopSettings TINY = new LoopSettings(64, 1024, 16, 8, 8, 256);
  private static final int AF_UNIX = 1;
  private static final int DATAGRAM_CLOEXEC = 0x80002;
  private static final int MESSAGES = 200;

  @BeforeEach
  void needUring() {
    Assumptions.assumeTrue(UringProbe.probe().available(), "io_uring does not work here");
  }

  @Test
  void shouldCompleteEachOnceWhenMoreIsQueuedThanTheRingsHold() throws InterruptedException {
    try (UringLoop loop = new UringLoop(TINY);
        Arena arena = Arena.ofConfined()) {
      long pair = arena.allocate(16, 8).address();
      assertThat(new LibcSetup().socketpair(AF_UNIX, DATAGRAM_CLOEXEC, 0, pair)).isZero();
      int sender = Memory.getInt(pair);
      int receiver = Memory.getInt(pair + 4);
      // More receives than either ring holds; then as many sends, which complete at once.
      for (int i = 0; i < MESSAGES; i++) {
        loop.recv(receiver, 64, i);
      }
      BitSet done = new BitSet();
      boolean overflown = false;
      for (int i = 0; i < MESSAGES; i++) {
        loop.send(sender, pair + 8, 8, 1000L + i);
        overflown |= loop.overflown();
      }
      while (done.cardinality() < 2 * MESSAGES) {
        int completed =
            loop.run(
                -1,
                (token, result, buffer) -> {
                  assertThat(result).isEqualTo(8);
                  assertThat(done.get((int) token)).as("token %s again", token).isFalse();
                  done.set((int) token);
                  if (buffer >= 0) {
                    loop.buffers().release(buffer);
                  }
                });
        assertThat(completed).isLessThanOrEqualTo(TINY.completionsPerRun());
        overflown |= loop.overflown();
      }

      assertThat(overflown).as("the completion ring must have overflown").isTrue();
      assertThat(loop.buffers().lent()).isZero();
      // The overflow ended the poll of the eventfd; a wake that went unheard would hang here.
      Thread waker = Thread.ofPlatform().start(loop::wake);
      loop.run(-1, (token, result, buffer) -> {});
      waker.join();
    }
  }
}
