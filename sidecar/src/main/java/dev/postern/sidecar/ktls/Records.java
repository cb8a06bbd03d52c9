package dev.postern.sidecar.ktls;

/** Who seals and opens the records after the handshake; the label is the metric's. */
public enum Records {
  /** Plaintext: there are none. */
  NONE("none"),
  KERNEL("kernel"),
  /** Sent by the kernel, received by OpenSSL. */
  KERNEL_TX("kernel-tx"),
  OPENSSL("openssl");

  private final String label;

  Records(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
