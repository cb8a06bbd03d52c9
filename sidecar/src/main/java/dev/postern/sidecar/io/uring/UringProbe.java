package dev.postern.sidecar.io.uring;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.NativeLibrary;
import dev.postern.sidecar.linux.Probe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tries once whether {@link UringLoop} works here: the library, the ring, and one round trip. */
public final class UringProbe {

  private static final String FEATURE = "io_uring";
  private static final Path DISABLED = Path.of("/proc/sys/kernel/io_uring_disabled");
  private static final int UNKNOWN = -1;
  private static final LoopSettings TINY = new LoopSettings(4096, 4, 8, 8, 16, 1);
  private static final long PATIENCE_NS = 1_000_000_000;
  private static final int AF_UNIX = 1;
  private static final int STREAM_CLOEXEC = 0x80001;

  private UringProbe() {}

  /** What stands in the way, or nothing. */
  public static Probe probe() {
    return probe(Liburing.SONAME);
  }

  static Probe probe(String soname) {
    try {
      NativeLibrary library = NativeLibrary.open(soname);
      for (String symbol : Liburing.NEEDED) {
        if (!library.exports(symbol)) {
          return Probe.missing(FEATURE, "liburing-too-old", soname + " exports no " + symbol);
        }
      }
    } catch (IllegalArgumentException e) {
      return Probe.missing(FEATURE, "liburing-missing", soname + " is not installed");
    }
    return tryRing();
  }

  private static Probe tryRing() {
    try (UringLoop loop = new UringLoop(TINY)) {
      int result = roundTrip(loop);
      return result == 1 ? Probe.works(FEATURE) : missing(FEATURE, "recv", -result);
    } catch (RingSetupException e) {
      return missing(FEATURE, e.step(), e.errno());
    }
  }

  /** Sends a byte through a socket pair and receives it into a provided buffer. */
  private static int roundTrip(UringLoop loop) {
    try (Arena arena = Arena.ofConfined()) {
      long pair = arena.allocate(8, 8).address();
      RingSetupException.check(
          "socketpair", new LibcSetup().socketpair(AF_UNIX, STREAM_CLOEXEC, 0, pair));
      int[] received = {-Errno.ETIMEDOUT};
      loop.recv(Memory.getInt(pair), 1, 0);
      loop.send(Memory.getInt(pair + 4), pair, 1, 1);
      long deadline = System.nanoTime() + PATIENCE_NS;
      for (int left = 2; left > 0 && System.nanoTime() < deadline; ) {
        left -=
            loop.run(
                PATIENCE_NS,
                (token, result, buffer) -> {
                  received[0] = token == 0 ? checked(result, buffer) : received[0];
                });
      }
      new Libc().close(Memory.getInt(pair));
      new Libc().close(Memory.getInt(pair + 4));
      return received[0];
    }
  }

  private static int checked(int result, int buffer) {
    return result > 0 && buffer == BufferPool.NONE ? -Errno.EINVAL : result;
  }

  /** What an errno of a step means for the feature that it was to try. */
  static Probe missing(String feature, String step, int errno) {
    return Probe.missing(feature, reason(errno, disabled()), step + ": " + Errno.name(errno));
  }

  /**
   * The label of an errno of the set-up.
   *
   * @param disabled value of kernel.io_uring_disabled, -1 where the kernel has no such file
   */
  static String reason(int errno, int disabled) {
    return switch (errno) {
      case Errno.EPERM -> disabled > 0 ? "io_uring-disabled" : "seccomp-denied";
      case Errno.EACCES -> "lsm-denied";
      // A kernel that has the switch has io_uring: a filter answered in its place.
      case Errno.ENOSYS -> disabled >= 0 ? "seccomp-denied" : "kernel-no-io_uring";
      case Errno.EINVAL -> "kernel-too-old";
      case Errno.ENOMEM -> "memlock";
      case Errno.EMFILE, Errno.ENFILE -> "descriptors-exhausted";
      default -> "io_uring-broken";
    };
  }

  private static int disabled() {
    try {
      return Integer.parseInt(Files.readString(DISABLED).strip());
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
