package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class IntQueueTest {

  /** 0..9 is added, -1 takes, -2..-5 removes 0..3 from the middle. */
  @Property(tries = 300)
  void shouldBehaveAsAQueueWhenItemsComeAndGo(
      @ForAll @Size(max = 200) List<@IntRange(min = -5, max = 9) Integer> steps) {
    IntQueue queue = new IntQueue(1);
    ArrayDeque<Integer> expected = new ArrayDeque<>();
    for (int step : steps) {
      if (step >= 0) {
        queue.add(step);
        expected.add(step);
      } else if (step == -1 && !expected.isEmpty()) {
        assertThat(queue.take()).isEqualTo(expected.remove());
      } else if (step < -1) {
        assertThat(queue.remove(-2 - step)).isEqualTo(expected.removeFirstOccurrence(-2 - step));
      }
      assertThat(queue.size()).isEqualTo(expected.size());
      assertThat(queue.isEmpty()).isEqualTo(expected.isEmpty());
    }
    while (!expected.isEmpty()) {
      assertThat(queue.take()).isEqualTo(expected.remove());
    }
  }
}
