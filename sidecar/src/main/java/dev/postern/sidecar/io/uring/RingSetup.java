package dev.postern.sidecar.io.uring;

/**
 * How a ring is made (io_uring_setup(2)).
 *
 * @param submissionEntries a power of two
 * @param completionEntries a power of two
 * @param flags IORING_SETUP_*
 * @param pollCpu CPU of the kernel's submitting thread; {@link #NO_POLLING} without one
 */
record RingSetup(int submissionEntries, int completionEntries, int flags, int pollCpu) {

  static final int NO_POLLING = -1;

  private static final int SQPOLL = 1 << 1;
  private static final int SQ_AFF = 1 << 2;
  private static final int CQSIZE = 1 << 3;
  private static final int R_DISABLED = 1 << 6;
  private static final int SUBMIT_ALL = 1 << 7;
  private static final int SINGLE_ISSUER = 1 << 12;
  private static final int DEFER_TASKRUN = 1 << 13;
  private static final int ALWAYS = CQSIZE | R_DISABLED | SUBMIT_ALL | SINGLE_ISSUER;

  /** The owner's enter submits, and it alone runs what completions ask for. */
  static RingSetup deferred(int submissionEntries, int completionEntries) {
    return new RingSetup(submissionEntries, completionEntries, ALWAYS | DEFER_TASKRUN, NO_POLLING);
  }

  /** A thread of the kernel on that CPU submits; the kernel refuses DEFER_TASKRUN beside it. */
  static RingSetup polled(int submissionEntries, int completionEntries, int cpu) {
    return new RingSetup(submissionEntries, completionEntries, ALWAYS | SQPOLL | SQ_AFF, cpu);
  }

  boolean isPolled() {
    return pollCpu != NO_POLLING;
  }
}
