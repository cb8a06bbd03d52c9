package dev.postern.sidecar.relay;

/**
 * Which path a worker's connections take, and why not a better one; labels as users see them.
 *
 * @param records "openssl", "kernel" or "kernel-tx"; "none" for plaintext
 * @param recordsReason why not the kernel; empty when it is
 * @param io "io_uring" or "epoll"
 * @param ioReason why not io_uring; empty when it is
 */
public record PathTaken(String records, String recordsReason, String io, String ioReason) {

  private static final String NO_RECORDS = "none";

  /** The same path for a connection without TLS. */
  PathTaken plaintext() {
    return new PathTaken(NO_RECORDS, "plaintext", io, ioReason);
  }
}
