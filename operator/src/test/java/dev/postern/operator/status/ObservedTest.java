package dev.postern.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservedTest {

  private static final Instant FIRST = Instant.parse("2026-12-01T12:00:00Z");
  private static final Instant LATER = Instant.parse("2026-12-01T13:00:00Z");

  @Test
  void shouldMoveTheTransitionTimeOnlyWithTheStatus() {
    Condition first = new Observed(List.of(), 1L, FIRST).condition("Ready", false, "A", "a");
    Observed later = new Observed(List.of(first), 2L, LATER);
    assertThat(later.condition("Ready", false, "B", "b").getLastTransitionTime())
        .isEqualTo("2026-12-01T12:00:00Z");
    assertThat(later.condition("Ready", true, "B", "b").getLastTransitionTime())
        .isEqualTo("2026-12-01T13:00:00Z");
    assertThat(later.condition("Ready", true, "B", "b").getObservedGeneration()).isEqualTo(2);
  }

  @Test
  void shouldTakeAnotherMessageForNoNews() {
    Condition first = new Observed(List.of(), 1L, FIRST).condition("Ready", true, "A", "a");
    Observed later = new Observed(List.of(first), 1L, LATER);
    assertThat(later.isNews(later.condition("Ready", true, "A", "other"))).isFalse();
    assertThat(later.isNews(later.condition("Ready", true, "B", "a"))).isTrue();
    assertThat(later.isNews(later.condition("Issuing", true, "A", "a"))).isTrue();
  }
}
