package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(IoKind.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WakeTest {

  private static final CompletionHandler NOTHING = (token, result, buffer) -> {};

  @Parameter IoKind kind;
  CompletionLoop loop;

  @BeforeEach
  void open() {
    loop = LoopHarness.open(kind, LoopHarness.SMALL);
  }

  @AfterEach
  void close() {
    if (loop != null) {
      loop.close();
    }
  }

  @Test
  void shouldReturnAtOnceWhenToldNotToWait() {
    loop.run(0, NOTHING);
    long start = System.nanoTime();
    int completions = loop.run(0, NOTHING);

    assertThat(completions).isZero();
    assertThat(System.nanoTime() - start).isLessThan(Duration.ofMillis(200).toNanos());
  }

  @Test
  void shouldReturnWhenTheTimeIsOver() {
    loop.run(0, NOTHING);
    long start = System.nanoTime();
    int completions = loop.run(Duration.ofMillis(50).toNanos(), NOTHING);

    assertThat(completions).isZero();
    assertThat(System.nanoTime() - start)
        .isBetween(Duration.ofMillis(50).toNanos(), Duration.ofSeconds(5).toNanos());
  }

  @Test
  void shouldReturnWhenWokenByAnotherThread() throws InterruptedException {
    loop.run(0, NOTHING);
    Thread waker =
        Thread.ofPlatform()
            .start(
                () -> {
                  LockSupport.parkNanos(50_000_000);
                  loop.wake();
                });
    long start = System.nanoTime();
    assertThat(loop.run(-1, NOTHING)).isZero();

    assertThat(System.nanoTime() - start).isGreaterThan(Duration.ofMillis(20).toNanos());
    waker.join();
  }

  @Test
  void shouldNotSleepWhenWokenBefore() {
    loop.run(0, NOTHING);
    loop.wake();
    loop.run(-1, NOTHING);
    loop.wake();
    loop.wake();
    loop.run(-1, NOTHING);
    long start = System.nanoTime();
    loop.run(Duration.ofMillis(30).toNanos(), NOTHING);

    assertThat(System.nanoTime() - start)
        .as("two wakes are one")
        .isGreaterThanOrEqualTo(Duration.ofMillis(30).toNanos());
  }

  @Test
  void shouldLoseNoWakeWhenCommandsRaceWithSleep() throws InterruptedException {
    int commands = 20_000;
    ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();

    Thread sender =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < commands; i++) {
                    queue.add(i);
                    loop.wake();
                    if (i % 3 == 0) {
                      Thread.onSpinWait();
                    }
                  }
                });
    int seen = 0;
    while (seen < commands) {
      // Without a limit: a lost wake would hang here and fail by the class's timeout.
      loop.run(-1, NOTHING);
      while (queue.poll() != null) {
        seen++;
      }
    }
    sender.join();
  }

  @Test
  void shouldDoNothingWhenWokenAfterClose() {
    loop.run(0, NOTHING);
    loop.close();
    loop.wake();
    loop = null;
  }
}
