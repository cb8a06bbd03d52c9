package dev.postern.sidecar.config;

/** What is to move the bytes. */
public enum IoPolicy {
  /** io_uring where it works, else epoll. */
  AUTO("auto"),
  IO_URING("io_uring"),
  EPOLL("epoll");

  private final String policyName;

  IoPolicy(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy, the access log and the metrics. */
  public String policyName() {
    return policyName;
  }
}
