package dev.postern.sidecar.relay;

/**
 * Which path a connection takes, and why not a better one; labels as users see them.
 *
 * @param records "openssl", "kernel" or "kernel-tx"; "none" for plaintext, "-" before it is known
 * @param recordsReason why not the kernel; empty when it is
 * @param io "io_uring" or "epoll"
 * @param ioReason why not io_uring; empty when it is
 */
public record PathTaken(String records, String recordsReason, String io, String ioReason) {

  static final PathTaken UNDECIDED = new PathTaken("-", "", "-", "");
}
