package dev.postern.sidecar.io.uring;

import dev.postern.sidecar.linux.NativeLibrary;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * liburing.so.2, the functions that are exported since 2.3. Each returns 0 or more, or -errno.
 *
 * <p>To be touched only after {@link UringProbe} has found the library.
 */
final class Liburing {

  static final String SONAME = "liburing.so.2";

  /** What a library must export; 2.2 and older lack the first. */
  static final List<String> NEEDED =
      List.of(
          "io_uring_enter2",
          "io_uring_register",
          "io_uring_queue_init_params",
          "io_uring_queue_exit",
          "io_uring_register_buf_ring",
          "io_uring_register_ring_fd",
          "io_uring_register_iowq_max_workers",
          "io_uring_register_sync_cancel");

  private static final NativeLibrary LIBRARY = NativeLibrary.open(SONAME);

  // int io_uring_enter2(unsigned fd, unsigned to_submit, unsigned min_complete, unsigned flags,
  //     void *arg, size_t sz);
  private static final MethodHandle ENTER2 = LIBRARY.function("io_uring_enter2", 6);
  // int io_uring_queue_init_params(unsigned entries, struct io_uring *, struct io_uring_params *);
  private static final MethodHandle QUEUE_INIT = LIBRARY.function("io_uring_queue_init_params", 3);
  // void io_uring_queue_exit(struct io_uring *ring);
  private static final MethodHandle QUEUE_EXIT = LIBRARY.function("io_uring_queue_exit", 1);
  // int io_uring_register(unsigned fd, unsigned opcode, const void *arg, unsigned nr_args);
  private static final MethodHandle REGISTER = LIBRARY.function("io_uring_register", 4);
  // int io_uring_register_buf_ring(struct io_uring *, struct io_uring_buf_reg *, unsigned flags);
  private static final MethodHandle BUF_RING = LIBRARY.function("io_uring_register_buf_ring", 3);
  // int io_uring_register_ring_fd(struct io_uring *ring);
  private static final MethodHandle RING_FD = LIBRARY.function("io_uring_register_ring_fd", 1);
  // int io_uring_register_iowq_max_workers(struct io_uring *ring, unsigned *values);
  private static final MethodHandle MAX_WORKERS =
      LIBRARY.function("io_uring_register_iowq_max_workers", 2);
  // int io_uring_register_sync_cancel(struct io_uring *, struct io_uring_sync_cancel_reg *);
  private static final MethodHandle SYNC_CANCEL =
      LIBRARY.function("io_uring_register_sync_cancel", 2);

  private Liburing() {}

  /** io_uring_enter2(2): the one call of the hot path. */
  static int enter2(
      int fd, int submit, int complete, int flags, long argument, long argumentBytes) {
    try {
      return (int)
          (long)
              ENTER2.invokeExact(
                  (long) fd, (long) submit, (long) complete, (long) flags, argument, argumentBytes);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static int queueInitParams(int entries, long ring, long params) {
    try {
      return (int) (long) QUEUE_INIT.invokeExact((long) entries, ring, params);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static void queueExit(long ring) {
    try {
      long ignored = (long) QUEUE_EXIT.invokeExact(ring);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static int register(int fd, int opcode, long argument, int count) {
    try {
      return (int) (long) REGISTER.invokeExact((long) fd, (long) opcode, argument, (long) count);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static int registerBufRing(long ring, long registration) {
    try {
      return (int) (long) BUF_RING.invokeExact(ring, registration, 0L);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static int registerRingFd(long ring) {
    try {
      return (int) (long) RING_FD.invokeExact(ring);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static int registerIowqMaxWorkers(long ring, long twoCounts) {
    try {
      return (int) (long) MAX_WORKERS.invokeExact(ring, twoCounts);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  static int registerSyncCancel(long ring, long registration) {
    try {
      return (int) (long) SYNC_CANCEL.invokeExact(ring, registration);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }
}
