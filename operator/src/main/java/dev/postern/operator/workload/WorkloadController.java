package dev.postern.operator.workload;

import dev.postern.crds.ClusterIssuer;
import dev.postern.operator.issuer.Issuers;
import dev.postern.operator.status.Events;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps identity, policy and trust of all injected workloads. Namespaces in which something has
 * changed are looked at one after the other by one thread; all of them now and then.
 */
public final class WorkloadController implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WorkloadController.class);

  /** A rollout changes many pods at once. */
  private static final Duration GATHER = Duration.ofMillis(100);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  private final WorkloadSettings settings;
  private final InstantSource clock;
  private final BooleanSupplier leading;
  private final TrustSource trust;
  private final OwnObjects writer;
  private final PolicyStatuses statuses;
  private final IdleWorkloads idle;
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread;
  private final ObservedCaches caches;
  private final SharedIndexInformer<ClusterIssuer> issuers;
  private TrustBundle bundle = new TrustBundle(List.of(), false);

  /**
   * Begins at once.
   *
   * @param namespaces to look at; empty: all
   * @param leading asked right before each write
   */
  public WorkloadController(
      KubernetesClient client,
      List<String> namespaces,
      Issuers issuers,
      Events events,
      WorkloadSettings settings,
      InstantSource clock,
      BooleanSupplier leading) {
    this.settings = settings;
    this.clock = clock;
    this.leading = leading;
    trust = new TrustSource(client, issuers, settings.trustDomain());
    writer = new OwnObjects(client, events, leading);
    statuses = new PolicyStatuses(client, events, clock);
    idle = new IdleWorkloads(settings.patience());
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("workloads").daemon().factory());
    caches = new ObservedCaches(client, namespaces, this::changed);
    this.issuers = client.resources(ClusterIssuer.class).runnableInformer(0);
    this.issuers.addEventHandler(new IssuersChanged());
    this.issuers.exceptionHandler((_, _) -> true).start();
    var _ =
        thread.scheduleWithFixedDelay(
            this::lookAtAll, 0, LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** True when all that was there at the start has been seen. */
  public boolean synced() {
    return caches.synced() && issuers.hasSynced();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    caches.close();
    issuers.stop();
  }

  private void changed(String namespace) {
    lookAt(namespace, GATHER);
  }

  private void lookAt(String namespace, Duration delay) {
    if (!waiting.add(namespace)) {
      return;
    }
    try {
      var _ = thread.schedule(() -> look(namespace), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      waiting.remove(namespace); // closed
    }
  }

  private void lookAtAll() {
    try {
      bundle = trust.read();
    } catch (KubernetesClientException e) {
      LOG.warn("roots of ClusterIssuers: {}", e.getMessage());
    }
    caches.namespaces().forEach(it -> lookAt(it, Duration.ZERO));
  }

  private void look(String namespace) {
    waiting.remove(namespace);
    if (!synced()) {
      lookAt(namespace, GATHER);
      return;
    }
    if (!leading.getAsBoolean()) {
      return;
    }
    try {
      reconcile(namespace);
    } catch (KubernetesClientException | IllegalStateException e) {
      LOG.warn("workloads of namespace {}: {}", namespace, e.getMessage());
      lookAt(namespace, AFTER_FAILURE);
    } catch (RuntimeException e) {
      LOG.error("workloads of namespace {}: unexpected", namespace, e);
      lookAt(namespace, LOOK_AGAIN);
    }
  }

  private void reconcile(String namespace) {
    NamespacePlan plan = NamespacePlan.of(caches.view(namespace), settings);
    NamespaceObjects objects = NamespaceObjects.of(namespace, caches, writer);
    if (!plan.workloads().isEmpty()) {
      objects.ensureTrust(bundle);
    }
    plan.workloads().forEach(objects::ensure);
    Set<String> without = objects.without(plan.workloads());
    Set<String> due = idle.due(namespace, without, clock.instant());
    due.forEach(objects::delete);
    if (plan.workloads().isEmpty() && due.equals(without)) {
      objects.deleteTrust();
    }
    plan.policies().forEach(statuses::write);
  }

  private final class IssuersChanged implements ResourceEventHandler<ClusterIssuer> {

    @Override
    public void onAdd(ClusterIssuer added) {
      submit();
    }

    @Override
    public void onUpdate(ClusterIssuer before, ClusterIssuer after) {
      submit();
    }

    @Override
    public void onDelete(ClusterIssuer deleted, boolean finalStateUnknown) {
      submit();
    }

    private void submit() {
      try {
        thread.execute(WorkloadController.this::lookAtAll);
      } catch (RejectedExecutionException e) {
        LOG.debug("closed", e);
      }
    }
  }
}
