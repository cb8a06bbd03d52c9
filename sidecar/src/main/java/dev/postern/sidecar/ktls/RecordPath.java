package dev.postern.sidecar.ktls;

/** The choice of path, as two pure functions; both choices are counted. */
public final class RecordPath {

  private RecordPath() {}

  /**
   * What is wanted of a worker's connections.
   *
   * @param records who is to seal them
   * @param percent the share of connections, 0 to 100, that may go to the kernel
   * @param expectKeyUpdates peers are likely to renew their keys
   */
  public record Wish(RecordsWanted records, int percent, boolean expectKeyUpdates) {

    public static final Wish AUTO = new Wish(RecordsWanted.AUTO, 100, false);
  }

  /**
   * The transport and why it is not the one that leads to the kernel.
   *
   * @param transport how ciphertext reaches OpenSSL
   * @param offer what the kernel may take over
   * @param reason for less than {@link KernelOffer#BOTH}
   */
  public record TransportChoice(Transport transport, KernelOffer offer, PathReason reason) {}

  /**
   * Who seals the records and why not the kernel.
   *
   * @param records for this connection
   * @param reason for less than {@link Records#KERNEL}, unless less was wanted
   */
  public record RecordsChoice(Records records, PathReason reason) {}

  /** What the handshake came to: which directions the kernel took, and of what. */
  public record HandedOver(boolean sends, boolean receives, boolean tls13, KernelCipher cipher) {}

  /**
   * At accept, from the wish and what is known of the kernel.
   *
   * @param hash of the connection, not negative: its share of 100 decides by the percentage
   */
  public static TransportChoice atAccept(Wish wish, KernelTls kernel, int hash) {
    return switch (wish.records()) {
      case OPENSSL -> memory(PathReason.POLICY);
      case OPENSSL_DESCRIPTOR -> descriptor(KernelOffer.NOTHING, PathReason.POLICY);
      case AUTO, KERNEL, KERNEL_TX -> {
        if (!kernel.available()) {
          yield memory(kernel.refusal());
        }
        if (wish.expectKeyUpdates() && !kernel.rekey()) {
          yield memory(PathReason.POLICY);
        }
        if (hash % 100 >= wish.percent()) {
          yield memory(PathReason.PERCENTAGE);
        }
        yield toKernel(wish.records(), kernel);
      }
    };
  }

  /** What a TLS 1.3 connection comes to when the kernel takes all that it is offered. */
  public static RecordsChoice expected(TransportChoice transport) {
    Records records =
        switch (transport.offer()) {
          case NOTHING, TLS1_2_ONLY -> Records.OPENSSL;
          case SEND_ONLY -> Records.KERNEL_TX;
          case BOTH -> Records.KERNEL;
        };
    return new RecordsChoice(records, transport.reason());
  }

  private static TransportChoice toKernel(RecordsWanted wanted, KernelTls kernel) {
    if (wanted == RecordsWanted.KERNEL_TX) {
      return descriptor(KernelOffer.SEND_ONLY, PathReason.POLICY);
    }
    return wanted == RecordsWanted.AUTO && !kernel.rekey()
        ? descriptor(KernelOffer.TLS1_2_ONLY, PathReason.KERNEL_NO_REKEY)
        : descriptor(KernelOffer.BOTH, PathReason.NONE);
  }

  private static TransportChoice memory(PathReason reason) {
    return new TransportChoice(Transport.MEMORY_BIO, KernelOffer.NOTHING, reason);
  }

  private static TransportChoice descriptor(KernelOffer offer, PathReason reason) {
    return new TransportChoice(Transport.DESCRIPTOR, offer, reason);
  }

  /** Once the handshake over the socket is done. */
  public static RecordsChoice afterHandshake(
      TransportChoice transport, KernelTls kernel, HandedOver done) {
    if (done.sends() && done.receives()) {
      return new RecordsChoice(Records.KERNEL, PathReason.NONE);
    }
    if (done.sends()) {
      return new RecordsChoice(
          Records.KERNEL_TX,
          transport.offer() == KernelOffer.SEND_ONLY
              ? PathReason.POLICY
              : PathReason.OPENSSL_TOO_OLD);
    }
    return new RecordsChoice(Records.OPENSSL, whyNone(transport, kernel, done));
  }

  private static PathReason whyNone(TransportChoice transport, KernelTls kernel, HandedOver done) {
    return switch (transport.offer()) {
      case NOTHING -> transport.reason();
      case TLS1_2_ONLY -> done.tls13() ? PathReason.KERNEL_NO_REKEY : cipherOrSocket(kernel, done);
      case SEND_ONLY -> done.tls13() ? cipherOrSocket(kernel, done) : PathReason.BOTH_OR_NONE;
      case BOTH -> cipherOrSocket(kernel, done);
    };
  }

  private static PathReason cipherOrSocket(KernelTls kernel, HandedOver done) {
    return kernel.takes(done.tls13(), done.cipher())
        ? PathReason.ULP_REFUSED
        : PathReason.CIPHER_UNSUPPORTED;
  }
}
