package dev.postern.sidecar.main;

import dev.postern.sidecar.admin.Answer;
import dev.postern.sidecar.reload.Snapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/** Whether the pod should get traffic, and why not. */
final class Readiness {

  private final InstantSource clock;
  private final Supplier<Snapshot> snapshot;
  private volatile boolean serving;
  private volatile boolean draining;

  Readiness(InstantSource clock, Supplier<Snapshot> snapshot) {
    this.clock = clock;
    this.snapshot = snapshot;
  }

  void serve() {
    serving = true;
  }

  /** From now on not ready; what lives goes on. */
  Answer drain() {
    draining = true;
    return Answer.ok("draining\n");
  }

  Answer started() {
    return serving ? Answer.ok("ok\n") : Answer.unavailable("starting");
  }

  Answer ready() {
    String obstacle = obstacle();
    return obstacle.isEmpty() ? Answer.ok("ok\n") : Answer.unavailable(obstacle);
  }

  /** Empty when ready. */
  String obstacle() {
    if (!serving) {
      return "starting";
    }
    if (draining) {
      return "draining";
    }
    Instant end = snapshot.get().identity().notAfter();
    return clock.instant().isAfter(end) ? "identity expired at " + end : "";
  }
}
