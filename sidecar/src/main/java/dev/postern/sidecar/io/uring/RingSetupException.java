package dev.postern.sidecar.io.uring;

import dev.postern.sidecar.linux.Errno;

/** A step of a ring's set-up that the kernel refused. */
final class RingSetupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String step;
  private final int errno;

  RingSetupException(String step, int errno) {
    super(step + ": " + Errno.name(errno));
    this.step = step;
    this.errno = errno;
  }

  String step() {
    return step;
  }

  int errno() {
    return errno;
  }

  /** Passes a result on, or throws when it is -errno. */
  static int check(String step, int result) {
    if (result < 0) {
      throw new RingSetupException(step, -result);
    }
    return result;
  }
}
