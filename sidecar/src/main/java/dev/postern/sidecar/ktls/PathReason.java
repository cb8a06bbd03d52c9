package dev.postern.sidecar.ktls;

/** Why records are not the kernel's; the label is the metric's. */
public enum PathReason {
  /** They are: nothing to explain. */
  NONE(""),
  /** The policy wants OpenSSL, or expects KeyUpdates that this kernel cannot follow. */
  POLICY("policy"),
  /** The connection is in the share that stays on OpenSSL records. */
  PERCENTAGE("percentage"),
  /** The kernel has no TLS (module not loaded, not built). */
  KERNEL_NO_TLS("kernel-no-tls"),
  /** The kernel has it and does not let us: seccomp, a sockmap. */
  ULP_REFUSED("ulp-refused"),
  /** TLS 1.3 on a kernel that cannot follow a KeyUpdate. */
  KERNEL_NO_REKEY("kernel-no-rekey"),
  /** The kernel lacks the negotiated cipher. */
  CIPHER_UNSUPPORTED("cipher-unsupported"),
  /** OpenSSL before 3.2 hands over only what is sent in TLS 1.3. */
  OPENSSL_TOO_OLD("openssl-too-old"),
  /** TLS 1.2 is handed over in both directions or none. */
  BOTH_OR_NONE("tls1.2-both-or-none"),
  /** There is no TLS. */
  PLAINTEXT("plaintext");

  private final String label;

  PathReason(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
