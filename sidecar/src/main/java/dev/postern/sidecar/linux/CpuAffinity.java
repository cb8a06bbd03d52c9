package dev.postern.sidecar.linux;

import java.lang.foreign.Arena;
import java.util.BitSet;

/** The CPUs that the calling thread may run on (sched_setaffinity(2)). */
public final class CpuAffinity {

  /** Room for 8192 CPUs, the most that Linux can be built for. */
  private static final int MASK_BYTES = 1024;

  private CpuAffinity() {}

  /**
   * The allowed CPUs by number.
   *
   * @throws IllegalStateException when the kernel refuses the question
   */
  public static BitSet current() {
    try (Arena arena = Arena.ofConfined()) {
      long mask = arena.allocate(MASK_BYTES, Long.BYTES).address();
      int result = new LibcSetup().schedGetaffinity(0, MASK_BYTES, mask);
      if (result < 0) {
        throw new IllegalStateException("sched_getaffinity: " + Errno.name(-result));
      }
      byte[] bytes = new byte[MASK_BYTES];
      Memory.copyOut(mask, bytes, 0, MASK_BYTES);
      return BitSet.valueOf(bytes);
    }
  }

  /** Confines the calling thread; 0, or -errno (EINVAL: none of them is allowed). */
  public static int confine(BitSet cpus) {
    try (Arena arena = Arena.ofConfined()) {
      long mask = arena.allocate(MASK_BYTES, Long.BYTES).address();
      byte[] bytes = cpus.toByteArray();
      Memory.copyIn(bytes, 0, mask, bytes.length);
      return new LibcSetup().schedSetaffinity(0, MASK_BYTES, mask);
    }
  }
}
