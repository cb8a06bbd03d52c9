package dev.postern.sidecar.io;

/** The backend that moves a worker's bytes, as users see it in logs and metrics. */
public enum IoKind {
  IO_URING("io_uring"),
  EPOLL("epoll");

  private final String label;

  IoKind(String label) {
    this.label = label;
  }

  /** The name in the access log, in /connections and in metric labels. */
  public String label() {
    return label;
  }
}
