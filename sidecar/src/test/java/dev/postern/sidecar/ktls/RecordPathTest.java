package dev.postern.sidecar.ktls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordPathTest {

  @ParameterizedTest
  @CsvSource({
    "0, kernel-records-not-built",
    "-2, kernel-no-tls",
    "-92, kernel-no-tls",
    "-1, ulp-refused",
    "-22, ulp-refused"
  })
  void shouldSealByOpenSslAndSayWhyWhenTheKernelAnswers(int result, String reason) {
    RecordPath.TransportChoice transport = RecordPath.atAccept(KernelTls.of(result));
    RecordPath.RecordsChoice records = RecordPath.afterHandshake(transport);

    assertThat(transport.transport()).isEqualTo(Transport.MEMORY_BIO);
    assertThat(records.records()).isEqualTo(Records.OPENSSL);
    assertThat(records.reason().label()).isEqualTo(reason);
  }

  /** The kernel lists the upper layer protocols that it has, tls among them or not. */
  @Test
  void shouldAgreeWithTheKernelsOwnListWhenProbed() throws IOException {
    Path list = Path.of("/proc/sys/net/ipv4/tcp_available_ulp");
    boolean listed = Files.exists(list) && Files.readString(list).contains("tls");

    KernelTls kernel = KernelTlsProbe.run();

    // A module may also be loaded by the probe itself, so only "listed" says something for sure.
    if (listed) {
      assertThat(kernel.refusal()).isEmpty();
    } else {
      assertThat(kernel.detail()).startsWith("TCP_ULP tls: ");
    }
    assertThat(kernel.detail()).doesNotContain(Errno.name(Errno.ENOTCONN));
  }
}
