package dev.postern.operator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdleWorkloadsTest {

  private static final Instant BEGIN = Instant.parse("2026-12-01T12:00:00Z");
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final IdleWorkloads idle = new IdleWorkloads(PATIENCE);

  @Test
  void shouldLosePatienceExactlyAtItsEnd() {
    assertThat(idle.due("shop", Set.of("web"), BEGIN)).isEmpty();
    Instant end = BEGIN.plus(PATIENCE);
    assertThat(idle.due("shop", Set.of("web"), end.minusNanos(1))).isEmpty();
    assertThat(idle.due("shop", Set.of("web"), end)).containsExactly("web");
    assertThat(idle.due("other", Set.of("web"), end)).isEmpty();
  }

  @Test
  void shouldBeginAnewWhenPodsCameBackMeanwhile() {
    assertThat(idle.due("shop", Set.of("web"), BEGIN)).isEmpty();
    assertThat(idle.due("shop", Set.of(), BEGIN.plusSeconds(60))).isEmpty();
    assertThat(idle.due("shop", Set.of("web"), BEGIN.plus(PATIENCE))).isEmpty();
  }
}
