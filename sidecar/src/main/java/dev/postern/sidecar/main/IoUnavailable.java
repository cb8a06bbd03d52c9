package dev.postern.sidecar.main;

/** A backend was demanded that does not work here. */
final class IoUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  IoUnavailable(String reason, String detail) {
    super("POSTERN_IO=io_uring, but io_uring does not work here: " + reason + " (" + detail + ")");
  }
}
