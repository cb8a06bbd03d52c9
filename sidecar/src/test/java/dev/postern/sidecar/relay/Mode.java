package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.io.uring.UringProbe;
import dev.postern.sidecar.ktls.KernelTls;
import dev.postern.sidecar.ktls.KernelTlsProbe;
import dev.postern.sidecar.ktls.RecordsWanted;
import dev.postern.sidecar.linux.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** True when a KeyUpdate of the client ends the connection. */
  boolean cannotRekey() {
    return records == RecordsWanted.KERNEL && !KERNEL.rekey();
  }

  /** True when a wish for new keys of ours does. */
  boolean cannotRekeyEitherWay() {
    return cannotRekey() || (records == RecordsWanted.KERNEL_TX && !KERNEL.rekey());
  }

  /** A counter of /proc/net/tls_stat; 0 where there is none. */
  static long kernelCount(String name) throws IOException {
    Path stat = Path.of("/proc/net/tls_stat");
    if (!Files.exists(stat)) {
      return 0;
    }
    return Files.readAllLines(stat).stream()
        .map(line -> line.trim().split("\\s+"))
        .filter(fields -> fields[0].equals(name))
        .mapToLong(fields -> Long.parseLong(fields[1]))
        .sum();
  }

  /** Skips what only connections that can renew their keys show. */
  static void assumeFollows(boolean follows) {
    Assumptions.assumeTrue(follows, "kernel-no-rekey");
  }

  @Override
  public String toString() {
    return records.word() + "/" + io.label();
  }
}
