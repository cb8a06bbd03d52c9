package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Memory;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Data plane rule: no allocation per completion once the loop is warm. */
@ParameterizedClass
@EnumSource(IoKind.class)
class AllocationTest {

  private static final int AF_UNIX = 1;
  private static final int STREAM_NONBLOCK = 0x801;
  private static final int WARM_UP = 300_000;
  private static final int MEASURED = 1_000_000;

  @Parameter IoKind kind;

  @Test
  void shouldAllocateNothingWhenAMillionCompletionsPass() {
    try (CompletionLoop loop = LoopHarness.open(kind, LoopHarness.SMALL);
        Arena arena = Arena.ofShared()) {
      PingPong game = new PingPong(loop, arena);
      game.play(WARM_UP);
      long before = allocatedBytes();
      long overhead = allocatedBytes() - before;
      before = allocatedBytes();
      game.play(MEASURED);
      long allocated = allocatedBytes() - before - overhead;

      assertThat(allocated).isZero();
      game.end();
    }
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  /** Both ends of a socket pair in one loop: each byte received is sent back. */
  private static final class PingPong implements CompletionHandler {
    private static final int RECV = 0;
    private static final int SEND = 16;

    private final CompletionLoop loop;
    private final int[] fds = new int[2];
    private final long message;
    private int completions;

    PingPong(CompletionLoop loop, Arena arena) {
      this.loop = loop;
      message = arena.allocate(8, 8).address();
      LoopHarness.require(new LibcSetup().socketpair(AF_UNIX, STREAM_NONBLOCK, 0, message));
      fds[0] = Memory.getInt(message);
      fds[1] = Memory.getInt(message + 4);
      loop.recv(fds[0], 64, RECV);
      loop.recv(fds[1], 64, RECV + 1);
      loop.send(fds[0], message, 8, SEND);
    }

    void play(int wanted) {
      completions = 0;
      while (completions < wanted) {
        loop.run(-1, this);
      }
    }

    @Override
    public void onCompletion(long token, int result, int buffer) {
      completions++;
      if (result != 8) {
        throw new AssertionError("result " + result);
      }
      if (token < SEND) {
        int side = (int) token;
        loop.buffers().release(buffer);
        loop.recv(fds[side], 64, RECV + side);
        loop.send(fds[side], message, 8, SEND + side);
      }
    }

    void end() {
      loop.cancel(RECV);
      loop.cancel(RECV + 1);
    }
  }
}
