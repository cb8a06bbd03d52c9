package dev.postern.sidecar.linux;

import java.lang.foreign.Arena;

/** Limits and flags of this process: getrlimit(2), prctl(2). */
public final class ProcessLimits {

  public static final int RLIMIT_NOFILE = 7;
  public static final int RLIMIT_MEMLOCK = 8;
  private static final int PR_SET_DUMPABLE = 4;

  private ProcessLimits() {}

  /** The soft limit; {@link Long#MAX_VALUE} for "unlimited". */
  public static long soft(int resource) {
    try (Arena arena = Arena.ofConfined()) {
      long limits = arena.allocate(2L * Long.BYTES, Long.BYTES).address();
      int result = new LibcSetup().getrlimit(resource, limits);
      if (result < 0) {
        throw new IllegalStateException("getrlimit " + resource + ": " + Errno.name(-result));
      }
      long soft = Memory.getLong(limits);
      return soft == -1 ? Long.MAX_VALUE : soft;
    }
  }

  /** Keeps keys out of core dumps and other processes' reach; 0, or -errno. */
  public static int forbidDumps() {
    return new LibcSetup().prctl(PR_SET_DUMPABLE, 0);
  }
}
