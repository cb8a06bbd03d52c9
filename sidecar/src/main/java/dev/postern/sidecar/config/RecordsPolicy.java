package dev.postern.sidecar.config;

/** Who is to seal and open the records. */
public enum RecordsPolicy {
  /** The kernel where behaviour stays the same, else OpenSSL. */
  AUTO("auto"),
  KERNEL("kernel"),
  /** Sent by the kernel, received by OpenSSL. */
  KERNEL_TX("kernel-tx"),
  OPENSSL("openssl");

  private final String policyName;

  RecordsPolicy(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy, the access log and the metrics. */
  public String policyName() {
    return policyName;
  }
}
