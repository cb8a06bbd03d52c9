package dev.postern.sidecar.io.uring;

import static dev.postern.sidecar.linux.Memory.getInt;
import static dev.postern.sidecar.linux.Memory.putInt;
import static dev.postern.sidecar.linux.Memory.putShort;

import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * What multishot accept saves, and what it does to a bound on what is accepted.
 *
 * <p>One thread accepts and closes, two connect and reset. Printed: how many of a full backlog each
 * variant takes before it can be told to stop; CPU time of the accepting thread per connection.
 * Arguments: rounds, seconds.
 */
final class AcceptMeasurement {

  private static final int OP_ACCEPT = 13;
  private static final int SQE_IOPRIO = 2;
  private static final short ACCEPT_MULTISHOT = 1;
  private static final int CQE_F_MORE = 1 << 1;
  private static final int BACKLOG = 500;
  private static final int CLIENTS = 2;

  private enum Variant {
    ONE_SHOT(1),
    EIGHT_ONE_SHOTS(8),
    MULTISHOT(1);

    final int armed;

    Variant(int armed) {
      this.armed = armed;
    }
  }

  private final Libc libc = new Libc();
  private final Variant variant;
  private final Ring ring = new Ring(RingSetup.deferred(64, 1024));
  private final int listener;

  private AcceptMeasurement(Variant variant) {
    this.variant = variant;
    listener = new Sockets().listen(Sockaddr.of("127.0.0.1", 0), 1024, false);
    ring.enable();
    ring.registerDescriptor();
  }

  private void start() {
    for (int i = 0; i < variant.armed; i++) {
      arm();
    }
  }

  private void arm() {
    long sqe = ring.sqe(OP_ACCEPT, listener, 0);
    putInt(sqe + Layout.SQE_OP_FLAGS, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
    putShort(sqe + SQE_IOPRIO, variant == Variant.MULTISHOT ? ACCEPT_MULTISHOT : 0);
  }

  /** One turn of a loop; how many were accepted, each of them closed again. */
  private int turn() {
    ring.submitAndWait(ring.hasCompletion() ? 0 : 10_000_000);
    int accepted = 0;
    int ended = 0;
    while (ring.hasCompletion()) {
      int fd = getInt(ring.cqe() + Layout.CQE_RES);
      ended += (getInt(ring.cqe() + Layout.CQE_FLAGS) & CQE_F_MORE) == 0 ? 1 : 0;
      ring.advance();
      if (fd < 0) {
        throw new IllegalStateException(variant + ": result " + fd);
      }
      libc.close(fd);
      accepted++;
    }
    for (int i = 0; i < ended; i++) {
      arm();
    }
    return accepted;
  }

  /** CPU ns of this thread per connection. */
  private double play(long durationNs) throws InterruptedException {
    int port = new Sockets().local(listener).port();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofPlatform().start(() -> dial(port)));
    }
    long start = threadCpuNs();
    long end = System.nanoTime() + durationNs;
    long accepted = 0;
    while (System.nanoTime() < end) {
      accepted += turn();
    }
    double perConnection = (threadCpuNs() - start) / (double) accepted;
    for (Thread client : clients) {
      client.interrupt();
    }
    for (Thread client : clients) {
      client.join();
    }
    while (turn() > 0) {}
    return perConnection;
  }

  private static void dial(int port) {
    Sockets sockets = new Sockets();
    Libc libc = new Libc();
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(Sockaddr.STORAGE_BYTES, 8).address();
      int bytes = Sockaddr.of("127.0.0.1", port).write(address);
      while (!Thread.currentThread().isInterrupted()) {
        int fd = sockets.open(Sockaddr.AF_INET);
        libc.connect(fd, address, bytes);
        sockets.resetOnClose(fd);
        libc.close(fd);
      }
    }
  }

  /** Fills the backlog while nothing is armed; how many the first turn takes. */
  private int takenAtOnce() {
    int port = new Sockets().local(listener).port();
    int[] fds = new int[BACKLOG];
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(Sockaddr.STORAGE_BYTES, 8).address();
      int bytes = Sockaddr.of("127.0.0.1", port).write(address);
      for (int i = 0; i < BACKLOG; i++) {
        fds[i] = new Sockets().open(Sockaddr.AF_INET);
        libc.connect(fds[i], address, bytes);
      }
    }
    start();
    int taken = turn();
    for (int fd : fds) {
      libc.close(fd);
    }
    while (turn() > 0) {}
    return taken;
  }

  private static long threadCpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Rounds<Variant> rounds = new Rounds<>(Variant.class);
    for (Variant variant : Variant.values()) {
      AcceptMeasurement one = new AcceptMeasurement(variant);
      System.out.printf("%-24s takes %d of %d at once%n", variant, one.takenAtOnce(), BACKLOG);
      rounds.add(variant, one::play);
    }
    rounds.run(Integer.parseInt(arguments[0]), Double.parseDouble(arguments[1]));
    rounds.print();
  }
}
