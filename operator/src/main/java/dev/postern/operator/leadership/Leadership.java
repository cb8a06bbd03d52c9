package dev.postern.operator.leadership;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads or stands by, by a Lease. Whoever writes asks it right before: a process that was stopped
 * for longer than its lease and woken up gets "no" before the elector itself has noticed.
 */
public final class Leadership implements BooleanSupplier, AutoCloseable {

  static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  private final ExecutorService thread =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("lease-", 0).daemon().factory());
  private final LeaseClock clock = new LeaseClock(LEASE, System::nanoTime);
  private final boolean elected;
  private volatile boolean closing;
  private CompletableFuture<?> election;

  private Leadership(boolean elected) {
    this.elected = elected;
  }

  /** One replica that needs no Lease. */
  public static Leadership alone() {
    return new Leadership(false);
  }

  /**
   * Begins to stand for election; returns at once.
   *
   * @param name of the Lease
   * @param identity of this replica, as its pod's name
   * @param started called once with the result, when this replica leads
   * @param lost called when it no longer does, but not at {@link #close}
   */
  public static Leadership stand(
      KubernetesClient client,
      String namespace,
      String name,
      String identity,
      Consumer<Leadership> started,
      Runnable lost) {
    Leadership leadership = new Leadership(true);
    LeaseLock lease = new LeaseLock(namespace, name, identity);
    LeaderElectionConfig config =
        new LeaderElectionConfigBuilder()
            .withName(name)
            .withLock(new TimedLock(lease, leadership.clock))
            .withLeaseDuration(LEASE)
            .withRenewDeadline(RENEW_DEADLINE)
            .withRetryPeriod(RETRY)
            .withReleaseOnCancel(true)
            .withLeaderCallbacks(
                new LeaderCallbacks(
                    () -> leadership.thread.execute(() -> started.accept(leadership)),
                    () -> leadership.stopped(lost),
                    leader -> LOG.info("leader is {}", leader)))
            .build();
    leadership.election = new LeaderElector(client, config, leadership.thread).start();
    return leadership;
  }

  private void stopped(Runnable lost) {
    clock.lapse();
    if (!closing) {
      lost.run();
    }
  }

  /** True while the lease is held by this replica's own clock. */
  @Override
  public boolean getAsBoolean() {
    return !elected || clock.holds();
  }

  /** Gives the lease back, so that the other replica need not wait for its end. */
  @Override
  public void close() {
    closing = true;
    if (election != null) {
      election.cancel(true);
    }
    clock.lapse();
    thread.shutdown();
  }
}
