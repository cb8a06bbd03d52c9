package dev.postern.sidecar.io.uring;

import static dev.postern.sidecar.linux.Memory.getInt;
import static dev.postern.sidecar.linux.Memory.getIntAcquire;
import static dev.postern.sidecar.linux.Memory.getLong;
import static dev.postern.sidecar.linux.Memory.putByte;
import static dev.postern.sidecar.linux.Memory.putInt;
import static dev.postern.sidecar.linux.Memory.putIntRelease;
import static dev.postern.sidecar.linux.Memory.putLong;

import dev.postern.sidecar.linux.Errno;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;

/**
 * One submission and one completion ring, filled and read through their mapped memory.
 *
 * <p>Made by any thread; {@link #enable} and everything after it belongs to one thread, as
 * SINGLE_ISSUER demands.
 */
final class Ring implements AutoCloseable {

  private static final int REGISTER_ENABLE_RINGS = 12;
  private static final int ENTER_GETEVENTS = 1;
  private static final int ENTER_SQ_WAKEUP = 1 << 1;
  private static final int ENTER_SQ_WAIT = 1 << 2;
  private static final int ENTER_EXT_ARG = 1 << 3;
  private static final int ENTER_REGISTERED_RING = 1 << 4;
  private static final int SQ_NEED_WAKEUP = 1;
  private static final int SQ_CQ_OVERFLOW = 1 << 1;
  private static final int CANCEL_ALL_OF_ANY = 1 | 1 << 2;
  private static final int SIGSET_BYTES = 8;
  // How long the kernel's thread spins on its own CPU before it sleeps and has to be woken.
  private static final int POLL_IDLE_MS = 100;
  private static final long NS_PER_S = 1_000_000_000L;

  private final Arena arena = Arena.ofShared();
  private final long ring = arena.allocate(Layout.RING_BYTES, 8).address();
  private final long wait = arena.allocate(Layout.GETEVENTS_BYTES, 8).address();
  private final long timespec = arena.allocate(16, 8).address();
  private final long sqHead;
  private final long sqTail;
  private final long sqFlags;
  private final long sqes;
  private final int sqMask;
  private final long cqHead;
  private final long cqTail;
  private final long cqes;
  private final int cqMask;
  private final boolean polled;
  private int enterFd;
  private int enterFlags;
  // Ours; the kernel sees it when it is published by enter.
  private int filled;
  private int taken;

  Ring(RingSetup wanted) {
    polled = wanted.isPolled();
    try (Arena setup = Arena.ofConfined()) {
      long params = setup.allocate(Layout.PARAMS_BYTES, 8).address();
      putInt(params + Layout.PARAMS_CQ_ENTRIES, wanted.completionEntries());
      putInt(params + Layout.PARAMS_FLAGS, wanted.flags());
      if (polled) {
        putInt(params + Layout.PARAMS_SQ_THREAD_CPU, wanted.pollCpu());
        putInt(params + Layout.PARAMS_SQ_THREAD_IDLE, POLL_IDLE_MS);
      }
      int result = Liburing.queueInitParams(wanted.submissionEntries(), ring, params);
      if (result < 0) {
        arena.close();
        throw new RingSetupException("io_uring_setup", -result);
      }
      sqMask = getInt(params + Layout.PARAMS_SQ_ENTRIES) - 1;
      cqMask = getInt(params + Layout.PARAMS_CQ_ENTRIES) - 1;
    }
    sqHead = getLong(ring + Layout.SQ_KHEAD);
    sqTail = getLong(ring + Layout.SQ_KTAIL);
    sqFlags = getLong(ring + Layout.SQ_KFLAGS);
    sqes = getLong(ring + Layout.SQ_SQES);
    cqHead = getLong(ring + Layout.CQ_KHEAD);
    cqTail = getLong(ring + Layout.CQ_KTAIL);
    cqes = getLong(ring + Layout.CQ_CQES);
    enterFd = fd();
    fillIndirection(getLong(ring + Layout.SQ_ARRAY));
    putInt(wait + Layout.GETEVENTS_SIGMASK_SZ, SIGSET_BYTES);
  }

  /** Slot i of the submission ring always means SQE i; a ring without the array needs nothing. */
  private void fillIndirection(long array) {
    for (int i = 0; array != 0 && i <= sqMask; i++) {
      putInt(array + (long) i * Integer.BYTES, i);
    }
  }

  /** The address of liburing's {@code struct io_uring}. */
  long address() {
    return ring;
  }

  private int fd() {
    return getInt(ring + Layout.RING_FD);
  }

  /** Binds the ring to the calling thread. */
  void enable() {
    RingSetupException.check(
        "io_uring_enable_rings", Liburing.register(fd(), REGISTER_ENABLE_RINGS, 0, 0));
    // Sockets are polled, not handed to kernel threads; should some be, they shall be few.
    putInt(timespec, 1);
    putInt(timespec + Integer.BYTES, 1);
    Liburing.registerIowqMaxWorkers(ring, timespec);
  }

  /** Saves a look-up of the descriptor in each enter; goes without where it is refused. */
  int registerDescriptor() {
    int result = Liburing.registerRingFd(ring);
    if (result == 1) {
      enterFd = getInt(ring + Layout.ENTER_RING_FD);
      enterFlags = ENTER_REGISTERED_RING;
    }
    return result;
  }

  boolean submissionsFull() {
    return filled - getIntAcquire(sqHead) > sqMask;
  }

  /** Fills the next SQE's common fields, the rest with 0; the ring must not be full. */
  long sqe(int opcode, int fd, long userData) {
    assert !submissionsFull() : "the submission ring is full";
    long sqe = sqes + (long) (filled & sqMask) * Layout.SQE_BYTES;
    for (int offset = 0; offset < Layout.SQE_BYTES; offset += Long.BYTES) {
      putLong(sqe + offset, 0);
    }
    putByte(sqe + Layout.SQE_OPCODE, (byte) opcode);
    putInt(sqe + Layout.SQE_FD, fd);
    putLong(sqe + Layout.SQE_USER_DATA, userData);
    filled++;
    return sqe;
  }

  /** Hands the filled SQEs to the kernel without waiting for completions or collecting them. */
  void submit() {
    putIntRelease(sqTail, filled);
    enter(0, polled ? ENTER_SQ_WAIT | wakeUp() : 0, 0, 0);
  }

  /**
   * Submits, lets the kernel complete what it can, and waits for one completion if {@code
   * timeoutNs} is not 0; negative: without limit.
   */
  void submitAndWait(long timeoutNs) {
    putIntRelease(sqTail, filled);
    int wakeUp = wakeUp();
    if (timeoutNs != 0) {
      putLong(wait + Layout.GETEVENTS_TS, timeoutNs < 0 ? 0 : timespec);
      putLong(timespec, timeoutNs / NS_PER_S);
      putLong(timespec + Long.BYTES, timeoutNs % NS_PER_S);
      enter(1, ENTER_GETEVENTS | ENTER_EXT_ARG | wakeUp, wait, Layout.GETEVENTS_BYTES);
    } else if (!polled || wakeUp != 0 || overflown()) {
      enter(0, ENTER_GETEVENTS | wakeUp, 0, 0);
    }
  }

  /** The flag that ends the sleep of the kernel's thread; 0 when it sees the tail by itself. */
  private int wakeUp() {
    if (!polled) {
      return 0;
    }
    // Tail, then flag; the kernel sets the flag, then reads the tail (io_uring_setup(2), SQPOLL).
    VarHandle.fullFence();
    return (getIntAcquire(sqFlags) & SQ_NEED_WAKEUP) == 0 ? 0 : ENTER_SQ_WAKEUP;
  }

  private void enter(int complete, int flags, long argument, long argumentBytes) {
    int pending = filled - getIntAcquire(sqHead);
    accept(
        Liburing.enter2(enterFd, pending, complete, enterFlags | flags, argument, argumentBytes));
  }

  /** EAGAIN and EBUSY mean "collect completions first"; what was not taken stays in the ring. */
  private static void accept(int result) {
    if (result < 0
        && result != -Errno.ETIME
        && result != -Errno.EINTR
        && result != -Errno.EAGAIN
        && result != -Errno.EBUSY) {
      throw new IllegalStateException("io_uring_enter: " + Errno.name(-result));
    }
  }

  boolean hasCompletion() {
    return taken != getIntAcquire(cqTail);
  }

  /** True when completions wait in the kernel because the ring was full. */
  boolean overflown() {
    return (getIntAcquire(sqFlags) & SQ_CQ_OVERFLOW) != 0;
  }

  /** The oldest completion, valid until {@link #advance}. */
  long cqe() {
    return cqes + (long) (taken & cqMask) * Layout.CQE_BYTES;
  }

  void advance() {
    putIntRelease(cqHead, ++taken);
  }

  /** Cancels what is in flight, so that the kernel writes to no buffer any more, and unmaps. */
  @Override
  public void close() {
    try (Arena scratch = Arena.ofConfined()) {
      long all = scratch.allocate(Layout.SYNC_CANCEL_BYTES, 8).address();
      putInt(all + Layout.SYNC_CANCEL_FD, -1);
      putInt(all + Layout.SYNC_CANCEL_FLAGS, CANCEL_ALL_OF_ANY);
      putLong(all + Layout.SYNC_CANCEL_TIMEOUT, -1);
      putLong(all + Layout.SYNC_CANCEL_TIMEOUT + Long.BYTES, -1);
      // Refused for a ring that was never enabled or by another thread: its exit cancels then.
      Liburing.registerSyncCancel(ring, all);
      Liburing.enter2(enterFd, 0, 0, enterFlags | ENTER_GETEVENTS, 0, 0);
    }
    Liburing.queueExit(ring);
    arena.close();
  }
}
