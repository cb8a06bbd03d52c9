package dev.postern.operator.leadership;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Until when the last renewal holds, on a clock that also runs while the process is stopped. */
final class LeaseClock {

  private final long leaseNs;
  private final LongSupplier nowNs;
  private volatile boolean held;
  private volatile long endNs;

  LeaseClock(Duration lease, LongSupplier nowNs) {
    this.leaseNs = lease.toNanos();
    this.nowNs = nowNs;
  }

  long now() {
    return nowNs.getAsLong();
  }

  /** The lease counts from before the request was sent: the API server's clock began no earlier. */
  void renewed(long sentNs) {
    endNs = sentNs + leaseNs;
    held = true;
  }

  void lapse() {
    held = false;
  }

  boolean holds() {
    return held && nowNs.getAsLong() - endNs < 0;
  }
}
