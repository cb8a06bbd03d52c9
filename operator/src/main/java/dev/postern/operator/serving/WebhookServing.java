package dev.postern.operator.serving;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the webhook's certificates and bundles right while this replica leads: at once after a
 * change of either webhook configuration, and every {@link #PERIOD} anyway.
 *
 * <p>One thread does all work; the informers only wake it. Started when leadership begins, stopped
 * when it ends; may be started again.
 */
public final class WebhookServing implements AutoCloseable {
  /** The check that needs no event. */
  static final Duration PERIOD = Duration.ofSeconds(30);

  /** After a failure: a blanked caBundle must be back within five seconds. */
  static final Duration RETRY = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(WebhookServing.class);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

  private final KubernetesClient client;
  private final ReleaseNames release;
  private final InstantSource clock;
  private final WebhookCertificates certificates;
  private final BlockingQueue<Boolean> wakeUps = new ArrayBlockingQueue<>(1);
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private volatile String failure = "not started";
  private volatile boolean running;
  private Thread thread;

  /**
   * Does nothing yet.
   *
   * @param leading true while the lease is held; asked right before each write
   */
  public WebhookServing(
      KubernetesClient client, ReleaseNames release, BooleanSupplier leading, InstantSource clock) {
    this.client = client;
    this.release = release;
    this.clock = clock;
    this.certificates = new WebhookCertificates(client, release, leading);
  }

  /** Begins; returns at once. */
  public synchronized void start() {
    if (thread != null) {
      return;
    }
    var webhooks = client.admissionRegistration().v1();
    String name = release.webhookConfiguration();
    informers.add(webhooks.mutatingWebhookConfigurations().withName(name).runnableInformer(0));
    informers.add(webhooks.validatingWebhookConfigurations().withName(name).runnableInformer(0));
    informers.forEach(this::follow);
    running = true;
    thread = Thread.ofPlatform().name("webhook-serving").daemon().start(this::run);
  }

  /** Ends; what was begun is taken up by the next leader's first pass. */
  public synchronized void stop() {
    if (thread == null) {
      return;
    }
    running = false;
    informers.forEach(SharedIndexInformer::stop);
    informers.clear();
    thread.interrupt();
    try {
      thread.join(STOP_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread = null;
    failure = "stopped";
  }

  /** What is wrong since the last pass; empty when all is as it should be. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void close() {
    stop();
  }

  private <T> void follow(SharedIndexInformer<T> informer) {
    informer.addEventHandler(new WakeUp<>());
    // Without the list's result: the periodic check stands in until the watch is there.
    informer.exceptionHandler((started, e) -> true).start();
  }

  private void run() {
    while (running) {
      boolean done = pass();
      try {
        wakeUps.poll((done ? PERIOD : RETRY).toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private boolean pass() {
    try {
      certificates.pass(clock.instant());
      failure = null;
      return true;
    } catch (ServingException | KubernetesClientException e) {
      report(e);
      return false;
    } catch (RuntimeException e) {
      LOG.error("webhook certificates: unexpected", e);
      failure = String.valueOf(e.getMessage());
      return false;
    }
  }

  /** Once for each new message, not once a second. */
  private void report(RuntimeException e) {
    if (!String.valueOf(e.getMessage()).equals(failure)) {
      LOG.warn("webhook certificates: {}", e.getMessage());
    }
    failure = String.valueOf(e.getMessage());
  }

  private final class WakeUp<T> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {
      wakeUps.offer(true);
    }

    @Override
    public void onUpdate(T before, T after) {
      wakeUps.offer(true);
    }

    @Override
    public void onDelete(T deleted, boolean finalStateUnknown) {
      wakeUps.offer(true);
    }
  }
}
