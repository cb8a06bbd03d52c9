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

/**
 * One submission and one completion ring, filled and read through their mapped memory.
 *
 * <p>Made by any thread; {@link #enable} and everything after it belongs to one thread, as
 * SINGLE_ISSUER demands.
 */
final class Ring implements AutoCloseable {

  private static final int SETUP_CQSIZE = 1 << 3;
  private static final int SETUP_R_DISABLED = 1 << 6;
  private static final int SETUP_SUBMIT_ALL = 1 << 7;
  private static final int SETUP_SINGLE_ISSUER = 1 << 12;
  private static final int SETUP_DEFER_TASKRUN = 1 << 13;
  private static final int SETUP =
      SETUP_CQSIZE
          | SETUP_R_DISABLED
          | SETUP_SUBMIT_ALL
          | SETUP_SINGLE_ISSUER
          | SETUP_DEFER_TASKRUN;

  private static final int REGISTER_ENABLE_RINGS = 12;
  private static final int ENTER_GETEVENTS = 1;
  private static final int ENTER_EXT_ARG = 1 << 3;
  private static final int ENTER_REGISTERED_RING = 1 << 4;
  private static final int SQ_CQ_OVERFLOW = 1 << 1;
  private static final int CANCEL_ALL_OF_ANY = 1 | 1 << 2;
  private static final int SIGSET_BYTES = 8;
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
  private int enterFd;
  private int enterFlags;
  // Ours; the kernel sees it when it is published by enter.
  private int filled;
  private int taken;

  Ring(int submissionEntries, int completionEntries) {
    try (Arena setup = Arena.ofConfined()) {
      long params = setup.allocate(Layout.PARAMS_BYTES, 8).address();
      putInt(params + Layout.PARAMS_CQ_ENTRIES, completionEntries);
      putInt(params + Layout.PARAMS_FLAGS, SETUP);
      int result = Liburing.queueInitParams(submissionEntries, ring, params);
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
    // Saves a look-up of the descriptor in each enter; goes without where it is refused.
    if (Liburing.registerRingFd(ring) == 1) {
      enterFd = getInt(ring + Layout.ENTER_RING_FD);
      enterFlags = ENTER_REGISTERED_RING;
    }
    // Sockets are polled, not handed to kernel threads; should some be, they shall be few.
    putInt(timespec, 1);
    putInt(timespec + Integer.BYTES, 1);
    Liburing.registerIowqMaxWorkers(ring, timespec);
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

  /** Hands the filled SQEs to the kernel without waiting or collecting. */
  void submit() {
    putIntRelease(sqTail, filled);
    int pending = filled - getIntAcquire(sqHead);
    accept(Liburing.enter2(enterFd, pending, 0, enterFlags, 0, 0));
  }

  /**
   * Submits, lets the kernel complete what it can, and waits for one completion if {@code
   * timeoutNs} is not 0; negative: without limit.
   */
  void submitAndWait(long timeoutNs) {
    putIntRelease(sqTail, filled);
    int pending = filled - getIntAcquire(sqHead);
    int flags = enterFlags | ENTER_GETEVENTS;
    if (timeoutNs == 0) {
      accept(Liburing.enter2(enterFd, pending, 0, flags, 0, 0));
      return;
    }
    putLong(wait + Layout.GETEVENTS_TS, timeoutNs < 0 ? 0 : timespec);
    putLong(timespec, timeoutNs / NS_PER_S);
    putLong(timespec + Long.BYTES, timeoutNs % NS_PER_S);
    accept(
        Liburing.enter2(enterFd, pending, 1, flags | ENTER_EXT_ARG, wait, Layout.GETEVENTS_BYTES));
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
