package dev.postern.operator.pki;

import static dev.postern.operator.pki.Pki.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RenewalPolicyTest {
  private static final Duration LIFE = Duration.ofHours(24);

  @Test
  void shouldRenewAtTwoThirdsOrALittleBeforeWhenNothingIsSaid() {
    assertThat(age(RenewalPolicy.atTwoThirds("a"), LIFE))
        .isBetween(Duration.ofHours(16).minusMinutes(48), Duration.ofHours(16));
  }

  @Test
  void shouldFollowRenewBeforeWhenItFits() {
    assertThat(age(new RenewalPolicy(Duration.ofHours(4), 50, "a"), LIFE))
        .isBetween(Duration.ofHours(19), Duration.ofHours(20));
  }

  @Test
  void shouldFollowThePercentageWhenRenewBeforeIsUnset() {
    assertThat(age(new RenewalPolicy(null, 25, "a"), LIFE))
        .isBetween(Duration.ofHours(17), Duration.ofHours(18));
  }

  @Test
  void shouldFallBackToTwoThirdsWhenRenewBeforeIsTheWholeLife() {
    assertThat(age(new RenewalPolicy(LIFE, null, "a"), LIFE))
        .isEqualTo(age(RenewalPolicy.atTwoThirds("a"), LIFE));
  }

  @Test
  void shouldFallBackToTwoThirdsWhenThePercentageIsOutOfRange() {
    assertThat(age(new RenewalPolicy(null, 100, "a"), LIFE))
        .isEqualTo(age(RenewalPolicy.atTwoThirds("a"), LIFE));
  }

  @Test
  void shouldWaitFiveMinutesWhenRenewBeforeLeavesNearlyNothing() {
    assertThat(age(new RenewalPolicy(LIFE.minusSeconds(1), null, "a"), LIFE))
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void shouldGiveTheSameMomentWhenTheUidIsTheSame() {
    assertThat(age(RenewalPolicy.atTwoThirds("uid-1"), LIFE))
        .isEqualTo(age(RenewalPolicy.atTwoThirds("uid-1"), LIFE));
  }

  @Test
  void shouldSpreadTheMomentsWhenManyWereIssuedAtOnce() {
    assertThat(
            IntStream.range(0, 100)
                .mapToObj(i -> age(RenewalPolicy.atTwoThirds("uid-" + i), LIFE))
                .collect(Collectors.toSet()))
        .hasSizeGreaterThan(90);
  }

  @Property
  void shouldAlwaysLieWithinTheLife(
      @ForAll @LongRange(min = 10, max = 400_000_000) long lifeSeconds,
      @ForAll @LongRange(min = -5, max = 400_000_000) long renewBeforeSeconds,
      @ForAll @IntRange(min = -5, max = 150) int percentage,
      @ForAll String uid) {
    Duration life = Duration.ofSeconds(lifeSeconds);
    RenewalPolicy policy =
        new RenewalPolicy(
            percentage % 2 == 0 ? Duration.ofSeconds(renewBeforeSeconds) : null, percentage, uid);

    Instant renewAt = policy.renewAt(NOW, NOW.plus(life));

    assertThat(renewAt).isAfter(NOW).isBefore(NOW.plus(life));
  }

  private static Duration age(RenewalPolicy policy, Duration life) {
    return Duration.between(NOW, policy.renewAt(NOW, NOW.plus(life)));
  }
}
