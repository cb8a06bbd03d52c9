package dev.postern.sidecar.ktls;

/** What a handshake over the socket itself may hand over to the kernel when it ends. */
public enum KernelOffer {
  NOTHING,
  /** Records to the peer; of TLS 1.3 only, since OpenSSL hands TLS 1.2 over receive first. */
  SEND_ONLY,
  /** Both directions, but of TLS 1.2 only: this kernel cannot follow a KeyUpdate. */
  TLS1_2_ONLY,
  BOTH;

  /**
   * Whether the kernel may still take what comes once a secret is there.
   *
   * @param tls13 the version that was negotiated, TLS 1.3 or 1.2
   * @param clientSecret the secret opens the client's application data (TLS 1.3)
   */
  public boolean holdsFor(boolean tls13, boolean clientSecret) {
    return switch (this) {
      case NOTHING -> false;
      case SEND_ONLY -> tls13 && !clientSecret;
      case TLS1_2_ONLY -> !tls13;
      case BOTH -> true;
    };
  }
}
