package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.io.uring.UringProbe;
import dev.postern.sidecar.ktls.KernelTls;
import dev.postern.sidecar.ktls.KernelTlsProbe;
import dev.postern.sidecar.ktls.RecordsWanted;
import dev.postern.sidecar.linux.Probe;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.provider.Arguments;

/**
 * One way in which a connection can be carried: who seals the records, who moves the bytes.
 *
 * @param records as a policy asks for it
 */
record Mode(RecordsWanted records, IoKind io) {

  static final KernelTls KERNEL = KernelTlsProbe.run();
  private static final Probe URING = UringProbe.probe();
  private static final List<RecordsWanted> RECORDS =
      List.of(
          RecordsWanted.OPENSSL,
          RecordsWanted.OPENSSL_DESCRIPTOR,
          RecordsWanted.KERNEL,
          RecordsWanted.KERNEL_TX);

  /** Every mode that there is. */
  static Stream<Mode> all() {
    return RECORDS.stream()
        .flatMap(records -> Stream.of(IoKind.values()).map(io -> new Mode(records, io)));
  }

  /** Every mode with each version of TLS. */
  static Stream<Arguments> withVersions() {
    return all().flatMap(mode -> Stream.of("TLSv1.2", "TLSv1.3").map(v -> Arguments.of(mode, v)));
  }

  /** Skips a test whose mode this machine does not have, with the reason that users would see. */
  void assumeExists() {
    Assumptions.assumeTrue(io == IoKind.EPOLL || URING.available(), URING::toString);
    boolean ofTheKernel = records == RecordsWanted.KERNEL || records == RecordsWanted.KERNEL_TX;
    Assumptions.assumeTrue(!ofTheKernel || KERNEL.available(), () -> KERNEL.refusal().label());
  }

  /** True when the kernel opens what a client of this version sends. */
  boolean kernelReceives() {
    return records == RecordsWanted.KERNEL;
  }

  /** True when a KeyUpdate of the client ends the connection. */
  boolean cannotRekey() {
    return records == RecordsWanted.KERNEL && !KERNEL.rekey();
  }

  @Override
  public String toString() {
    return records.word() + "/" + io.label();
  }
}
