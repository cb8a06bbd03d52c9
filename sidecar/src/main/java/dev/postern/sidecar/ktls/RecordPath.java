package dev.postern.sidecar.ktls;

/** The choice of path, as two pure functions; both choices are counted. */
public final class RecordPath {

  private RecordPath() {}

  /**
   * The transport and why it is not the one that leads to the kernel.
   *
   * @param transport how ciphertext reaches OpenSSL
   * @param reason for less than {@link Transport#DESCRIPTOR}
   */
  public record TransportChoice(Transport transport, PathReason reason) {}

  /**
   * Who seals the records and why not the kernel.
   *
   * @param records for this connection
   * @param reason for less than {@link Records#KERNEL}
   */
  public record RecordsChoice(Records records, PathReason reason) {}

  /** At accept, from what is known of the kernel. */
  public static TransportChoice atAccept(KernelTls kernel) {
    return new TransportChoice(
        Transport.MEMORY_BIO, kernel.refusal().orElse(PathReason.KERNEL_RECORDS_NOT_BUILT));
  }

  /** Once the handshake is done. */
  public static RecordsChoice afterHandshake(TransportChoice transport) {
    return new RecordsChoice(Records.OPENSSL, transport.reason());
  }
}
