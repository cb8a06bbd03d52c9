package dev.postern.sidecar.ktls;

/** Why records are not the kernel's; the label is the metric's. */
public enum PathReason {
  /** The kernel has no TLS (module not loaded, not built). */
  KERNEL_NO_TLS("kernel-no-tls"),
  /** The kernel has it and does not let us: seccomp, a sockmap. */
  ULP_REFUSED("ulp-refused"),
  /** The kernel has it; this version of Postern does not use it yet. */
  KERNEL_RECORDS_NOT_BUILT("kernel-records-not-built");

  private final String label;

  PathReason(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
