package dev.postern.sidecar.relay;

/**
 * Finds the connections whose time is over by looking at all, once a second and sooner when one is
 * near: deadlines move with every byte, and are met almost never.
 */
final class Deadlines {

  private static final long SOONEST_NS = 100_000_000;
  private static final long LATEST_NS = 1_000_000_000;

  private final Slots slots;
  private long nextScanNs = Long.MAX_VALUE;

  Deadlines(Slots slots) {
    this.slots = slots;
  }

  void noteNew(long nowNs) {
    nextScanNs = Math.min(nextScanNs, nowNs + SOONEST_NS);
  }

  void expire(long nowNs) {
    if (nextScanNs == Long.MAX_VALUE || nowNs < nextScanNs) {
      return;
    }
    int left = slots.live();
    long untilNs = LATEST_NS;
    for (int slot = 0; left > 0 && slot < slots.capacity(); slot++) {
      Connection connection = slots.get(slot);
      if (connection != null) {
        left--;
        if (connection.isDue(nowNs)) {
          connection.deadline();
        }
        connection.rest(nowNs);
        untilNs = Math.min(untilNs, connection.leftNs(nowNs));
      }
    }
    nextScanNs = slots.live() == 0 ? Long.MAX_VALUE : nowNs + Math.max(untilNs, SOONEST_NS);
  }

  long nextScanNs() {
    return nextScanNs;
  }
}
