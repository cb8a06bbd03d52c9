package dev.postern.sidecar.main;

import dev.postern.sidecar.config.Mode;
import dev.postern.sidecar.config.Policy;
import dev.postern.sidecar.io.CompletionLoop;
import dev.postern.sidecar.io.IoChoice;
import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.io.epoll.EpollLoop;
import dev.postern.sidecar.io.uring.UringLoop;
import dev.postern.sidecar.ktls.KernelTls;
import dev.postern.sidecar.ktls.RecordPath;
import dev.postern.sidecar.ktls.RecordsWanted;
import dev.postern.sidecar.relay.Admission;
import dev.postern.sidecar.relay.ConnectionReport;
import dev.postern.sidecar.relay.Limits;
import dev.postern.sidecar.relay.Rules;
import dev.postern.sidecar.relay.Worker;
import dev.postern.sidecar.relay.WorkerCounters;
import dev.postern.sidecar.reload.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** All workers of the process as one. */
final class Workers {

  private static final long ANSWER_SECONDS = 5;

  private final List<Worker> workers = new ArrayList<>();
  private final IoKind io;

  /** Opens the listeners and starts the threads. */
  Workers(
      Settings settings,
      IoChoice io,
      KernelTls kernel,
      Snapshot first,
      Consumer<ConnectionReport> log) {
    this.io = io.kind();
    int count = settings.workers() > 0 ? settings.workers() : cpus();
    for (int i = 0; i < count; i++) {
      workers.add(
          new Worker(
              new Worker.Parts(
                  i,
                  this::newLoop,
                  ListeningSockets.open(settings.listenPorts(), count > 1),
                  settings.destinations(),
                  Limits.DEFAULT,
                  new Worker.IoPath(io.kind().label(), io.reason()),
                  kernel,
                  rules(first),
                  log,
                  System::nanoTime)));
    }
    workers.forEach(Worker::start);
  }

  /** CPU quota rounded up, at most the CPUs that this process may run on. */
  static int cpus() {
    return Runtime.getRuntime().availableProcessors();
  }

  private CompletionLoop newLoop() {
    return switch (io) {
      case IO_URING -> new UringLoop(LoopSettings.DEFAULT);
      case EPOLL -> new EpollLoop(LoopSettings.DEFAULT);
    };
  }

  /** Returns when new connections follow the snapshot; a worker that is draining follows none. */
  void swap(Snapshot next) {
    Rules rules = rules(next);
    CompletableFuture<?>[] swapped =
        workers.stream().map(worker -> worker.swap(rules)).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(swapped)
        .completeOnTimeout(null, ANSWER_SECONDS, TimeUnit.SECONDS)
        .join();
  }

  private static Rules rules(Snapshot snapshot) {
    Policy policy = snapshot.policy();
    return new Rules(
        snapshot::newContext, admission(policy.mode()), policy.authorizer(), wish(policy));
  }

  /** Which path a policy asks for. */
  static RecordPath.Wish wish(Policy policy) {
    return new RecordPath.Wish(
        RecordsWanted.parse(policy.path().records().policyName()),
        policy.path().kernelRecordsPercent(),
        policy.path().expectKeyUpdates());
  }

  private static Admission admission(Mode mode) {
    return switch (mode) {
      case STRICT -> Admission.TLS_ONLY;
      case PERMISSIVE -> Admission.TLS_OR_PLAINTEXT;
      case DISABLED -> Admission.PLAINTEXT_ONLY;
    };
  }

  int count() {
    return workers.size();
  }

  List<WorkerCounters> counters() {
    return workers.stream().map(Worker::counters).toList();
  }

  /** What lives now; a worker that does not answer in time is an error, not an empty list. */
  List<ConnectionReport> connections() {
    List<ConnectionReport> all = new ArrayList<>();
    for (CompletableFuture<List<ConnectionReport>> one :
        workers.stream().map(Worker::connections).toList()) {
      try {
        all.addAll(one.get(ANSWER_SECONDS, TimeUnit.SECONDS));
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException("a worker does not answer: " + e, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
    return all;
  }

  /** Ends all connections in time; returns when they have ended. */
  void drain(long graceNs) {
    CompletableFuture<?>[] ended =
        workers.stream().map(worker -> worker.drain(graceNs)).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(ended).join();
  }
}
