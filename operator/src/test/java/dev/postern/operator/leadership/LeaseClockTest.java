package dev.postern.operator.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseClockTest {

  private static final Duration LEASE = Duration.ofSeconds(15);

  private long nowNs = Long.MAX_VALUE - 5; // wraps within the lease
  private final LeaseClock clock = new LeaseClock(LEASE, () -> nowNs);

  @Test
  void shouldHoldForOneLeaseFromWhenTheRenewalWasSent() {
    assertThat(clock.holds()).isFalse();
    clock.renewed(nowNs);
    nowNs += LEASE.toNanos() - 1;
    assertThat(clock.holds()).isTrue();
    nowNs += 1;
    assertThat(clock.holds()).isFalse();
  }

  @Test
  void shouldNotHoldOnceItHasLapsed() {
    clock.renewed(nowNs);
    clock.lapse();
    assertThat(clock.holds()).isFalse();
  }
}
