package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.io.CompletionHandler;
import dev.postern.sidecar.io.CompletionLoop;
import dev.postern.sidecar.ktls.KernelTls;
import dev.postern.sidecar.ktls.PathReason;
import dev.postern.sidecar.ktls.Records;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import dev.postern.sidecar.tls.KernelRecords;
import dev.postern.sidecar.tls.PeerAuthorizer;
import dev.postern.sidecar.tls.PeerIdentity;
import dev.postern.sidecar.tls.TlsContext;
import dev.postern.sidecar.tls.TlsFailure;
import dev.postern.sidecar.tls.TlsSession;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One thread with its loop, listeners, connections, deadlines and counters; others enter through
 * its queue of commands.
 */
public final class Worker {

  private static final int COMMANDS = 256;
  private static final int SOCKADDR_BYTES = 32;
  private static final long ACCEPT_PAUSE_NS = 100_000_000;
  private static final long BUFFER_PAUSE_NS = 5_000_000;

  /** Which loop moves the bytes, and why not a better one; both as users see them. */
  public record IoPath(String kind, String reason) {}

  /** What a worker is made of. */
  public record Parts(
      int index,
      Supplier<CompletionLoop> loops,
      List<Integer> listenFds,
      Destinations destinations,
      Limits limits,
      IoPath io,
      KernelTls kernel,
      Rules rules,
      Consumer<ConnectionReport> accessLog,
      LongSupplier nanoClock) {

    public Parts {
      listenFds = List.copyOf(listenFds);
    }
  }

  private final Parts parts;
  private final WorkerCounters counters = new WorkerCounters();
  private final BlockingQueue<Runnable> commands = new ArrayBlockingQueue<>(COMMANDS);
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Sockets sockets = new Sockets();
  private final Slots slots;
  private final Deadlines deadlines;
  private final Listeners listeners;
  private final BufferWaiters bufferWaiters = new BufferWaiters();
  private final KernelRecords.Tools kernelTools;
  // Bound once: a method reference at the call would be an object a turn.
  private final CompletionHandler handler = this::onCompletion;
  private volatile CompletionLoop loop;
  private Rules rules;
  private TlsContext context;
  private long nowNs;
  private boolean draining;
  private long drainDeadlineNs;
  private boolean stopped;

  public Worker(Parts parts) {
    this.parts = parts;
    rules = parts.rules();
    int connections = Math.min(parts.limits().connections(), Operation.MAX_SLOTS);
    slots = new Slots(connections, SOCKADDR_BYTES);
    kernelTools = new KernelRecords.Tools(connections);
    deadlines = new Deadlines(slots);
    listeners = new Listeners(this, parts.listenFds());
  }

  /** Starts the thread; returns when its loop runs, or throws what kept it from running. */
  public void start() {
    CompletableFuture<Void> running = new CompletableFuture<>();
    Thread.ofPlatform().name("postern-worker-" + parts.index()).start(() -> run(running));
    running.join();
  }

  private void run(CompletableFuture<Void> running) {
    try (CompletionLoop own = parts.loops().get()) {
      loop = own;
      nowNs = parts.nanoClock().getAsLong();
      install(parts.rules());
      listeners.arm();
      running.complete(null);
      turnUntilStopped(own);
    } catch (RuntimeException | Error e) {
      running.completeExceptionally(e);
      ended.completeExceptionally(e);
    } finally {
      loop = null;
      slots.close();
      kernelTools.close();
      if (context != null) {
        context.close();
      }
      ended.complete(null);
    }
  }

  private void turnUntilStopped(CompletionLoop own) {
    while (!stopped) {
      for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
        command.run();
      }
      nowNs = parts.nanoClock().getAsLong();
      deadlines.expire(nowNs);
      listeners.rearmIfDue(nowNs);
      bufferWaiters.serve(own.buffers());
      if (draining) {
        drainStep();
      }
      if (!stopped) {
        counters.waits.increment();
        counters.completions.add(own.run(waitNs(), handler));
      }
    }
  }

  private long waitNs() {
    long next = Math.min(deadlines.nextScanNs(), listeners.rearmAtNs());
    next = draining ? Math.min(next, nowNs + ACCEPT_PAUSE_NS) : next;
    next = bufferWaiters.isEmpty() ? next : Math.min(next, nowNs + BUFFER_PAUSE_NS);
    return next == Long.MAX_VALUE ? -1 : Math.max(next - nowNs, 1);
  }

  private void onCompletion(long token, int result, int buffer) {
    nowNs = parts.nanoClock().getAsLong();
    Operation operation = Operation.of(token);
    int slot = Operation.slot(token);
    if (operation == Operation.ACCEPT) {
      listeners.accepted(slot, result);
      return;
    }
    Connection connection = slots.get(slot);
    assert connection != null && Operation.ofGeneration(token, connection.generation);
    try {
      connection.complete(operation, result, buffer);
    } catch (RuntimeException e) {
      // A fault of one connection costs only itself.
      connection.broken(e);
    }
  }

  // ---- commands, from any thread

  /**
   * New connections follow {@code next}; those that live keep what they have. Completes once it is
   * so.
   */
  public CompletableFuture<Void> swap(Rules next) {
    CompletableFuture<Void> swapped = new CompletableFuture<>();
    submit(
        () -> {
          install(next);
          swapped.complete(null);
        });
    return swapped;
  }

  /** What lives now. */
  public CompletableFuture<List<ConnectionReport>> connections() {
    CompletableFuture<List<ConnectionReport>> reports = new CompletableFuture<>();
    submit(() -> reports.complete(slots.stream().map(Connection::report).toList()));
    return reports;
  }

  /** Buffers that are lent now: none when nothing is in flight. */
  public CompletableFuture<Integer> buffersLent() {
    CompletableFuture<Integer> lent = new CompletableFuture<>();
    submit(() -> lent.complete(loop.buffers().lent()));
    return lent;
  }

  /** Takes what waits in the backlog, accepts no more, and ends when all have ended or in time. */
  public CompletableFuture<Void> drain(long graceNs) {
    submit(
        () -> {
          if (!draining) {
            draining = true;
            drainDeadlineNs = parts.nanoClock().getAsLong() + graceNs;
            listeners.close();
          }
        });
    return ended;
  }

  private void submit(Runnable command) {
    try {
      commands.put(command);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    CompletionLoop running = loop;
    if (running != null) {
      running.wake();
    }
  }

  public WorkerCounters counters() {
    return counters;
  }

  private void install(Rules next) {
    TlsContext fresh = next.contexts().get();
    if (context != null) {
      context.close();
    }
    context = fresh;
    rules = next;
  }

  private void drainStep() {
    if (nowNs - drainDeadlineNs >= 0) {
      slots.stream().toList().forEach(connection -> connection.end(CloseReason.DRAINED));
    }
    stopped = slots.live() == 0 && listeners.closed();
  }

  // ---- connections

  void admit(int clientFd) {
    counters.accepted.increment();
    int slot = slots.take();
    if (slot < 0) {
      counters.track(Records.NONE).closed(CloseReason.OVERLOAD).increment();
      loop.close(clientFd);
      return;
    }
    sockets.noDelay(clientFd);
    Connection connection =
        new Connection(this, slot, slots.generation(slot), clientFd, rules.admission());
    slots.put(slot, connection);
    counters.live.increment();
    connection.start();
    deadlines.noteNew(nowNs);
  }

  void closed(Connection connection) {
    counters.live.add(-1);
    connection.track().closed(connection.reason()).increment();
    parts.accessLog().accept(connection.report());
    slots.give(connection.slot);
  }

  TlsContext context() {
    return context;
  }

  Rules rules() {
    return rules;
  }

  KernelTls kernel() {
    return parts.kernel();
  }

  KernelRecords.Tools kernelTools() {
    return kernelTools;
  }

  Destinations.Destination destinationOf(int clientFd) {
    Sockaddr local = sockets.local(clientFd);
    Sockaddr original =
        parts.destinations().redirected() ? sockets.originalDestination(clientFd) : null;
    if (local == null) {
      return Destinations.Destination.refuse(CloseReason.CLIENT_CLOSED);
    }
    return parts.destinations().decide(local, original);
  }

  PeerAuthorizer.Decision authorize(PeerIdentity peer) {
    PeerAuthorizer.Decision decision = rules.authorizer().decide(peer);
    counters.decisions(decision).increment();
    return decision;
  }

  void handshakeStarted() {
    counters.handshaking.increment();
  }

  void handshakeOver() {
    counters.handshaking.add(-1);
    listeners.arm();
  }

  void handshakeEnded(TlsSession session, long elapsedNs) {
    ("TLSv1.3".equals(session.version()) ? counters.handshakesTls13 : counters.handshakesTls12)
        .increment();
    counters.handshakesResumed.add(session.resumed() ? 1 : 0);
    counters.handshakeNs.add(elapsedNs);
  }

  void handshakeFailed(TlsFailure.Reason reason) {
    counters.handshakeFailures(reason).increment();
  }

  boolean handshakesAreFull() {
    return counters.handshaking.read() >= parts.limits().handshakes();
  }

  void acceptFailed(int errno) {
    assert errno != Errno.EAGAIN;
    counters.acceptFailures.increment();
  }

  int acceptNow(int listenFd) {
    return new Libc().accept4(listenFd, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
  }

  // ---- what connections use

  CompletionLoop loop() {
    return loop;
  }

  Sockets sockets() {
    return sockets;
  }

  Limits limits() {
    return parts.limits();
  }

  PathTaken pathTaken(Records records, PathReason reason) {
    return new PathTaken(records.label(), reason.label(), parts.io().kind(), parts.io().reason());
  }

  long nowNs() {
    return nowNs;
  }

  long sockaddrOf(int slot) {
    return slots.sockaddr(slot);
  }

  int acquire() {
    return loop.buffers().acquire();
  }

  void release(int buffer) {
    assert buffer != BufferPool.NONE;
    loop.buffers().release(buffer);
  }

  void releaseIfAny(int buffer) {
    if (buffer != BufferPool.NONE) {
      release(buffer);
    }
  }

  /** Lends a buffer to {@code use} as soon as one has come back, if the connection still relays. */
  void whenBufferIsFree(Connection connection, IntConsumer use) {
    bufferWaiters.add(connection, use);
  }

  long address(int buffer) {
    return loop.buffers().address(buffer);
  }

  int bufferBytes() {
    return loop.buffers().sizeBytes();
  }

  void countRetry() {
    counters.sendRetries.increment();
  }

  static long acceptPauseNs() {
    return ACCEPT_PAUSE_NS;
  }
}
