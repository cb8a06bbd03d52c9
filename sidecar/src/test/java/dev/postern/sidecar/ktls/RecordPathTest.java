package dev.postern.sidecar.ktls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.ktls.RecordPath.HandedOver;
import dev.postern.sidecar.ktls.RecordPath.RecordsChoice;
import dev.postern.sidecar.ktls.RecordPath.TransportChoice;
import dev.postern.sidecar.ktls.RecordPath.Wish;
import dev.postern.sidecar.linux.Errno;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordPathTest {

  private static final Set<KernelCipher> GCM =
      EnumSet.of(KernelCipher.AES_128_GCM, KernelCipher.AES_256_GCM);
  private static final KernelTls OLD = new KernelTls(PathReason.NONE, GCM, GCM, false, "");
  private static final KernelTls REKEYS = new KernelTls(PathReason.NONE, GCM, GCM, true, "");

  @ParameterizedTest
  @CsvSource({"2, kernel-no-tls", "92, kernel-no-tls", "1, ulp-refused", "22, ulp-refused"})
  void shouldSealByOpenSslAndSayWhyWhenTheKernelRefuses(int errno, String reason) {
    TransportChoice transport = RecordPath.atAccept(Wish.AUTO, KernelTls.refused(errno), 0);

    assertThat(transport.transport()).isEqualTo(Transport.MEMORY_BIO);
    assertThat(RecordPath.expected(transport).records()).isEqualTo(Records.OPENSSL);
    assertThat(transport.reason().label()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO,               false, DESCRIPTOR, TLS1_2_ONLY, KERNEL_NO_REKEY",
    "AUTO,               true,  DESCRIPTOR, BOTH,        NONE",
    "KERNEL,             false, DESCRIPTOR, BOTH,        NONE",
    "KERNEL,             true,  DESCRIPTOR, BOTH,        NONE",
    "KERNEL_TX,          false, DESCRIPTOR, SEND_ONLY,   POLICY",
    "OPENSSL,            true,  MEMORY_BIO, NOTHING,     POLICY",
    "OPENSSL_DESCRIPTOR, true,  DESCRIPTOR, NOTHING,     POLICY"
  })
  void shouldOfferTheKernelWhatTheWishAndItsKeysAllow(
      RecordsWanted wanted,
      boolean rekey,
      Transport transport,
      KernelOffer offer,
      PathReason reason) {
    assertThat(RecordPath.atAccept(new Wish(wanted, 100, false), rekey ? REKEYS : OLD, 0))
        .isEqualTo(new TransportChoice(transport, offer, reason));
  }

  @ParameterizedTest
  @CsvSource({"false, POLICY", "true, NONE"})
  void shouldKeepPeersThatRenewTheirKeysAwayFromAKernelThatCannot(
      boolean rekey, PathReason reason) {
    Wish wish = new Wish(RecordsWanted.KERNEL, 100, true);

    assertThat(RecordPath.atAccept(wish, rekey ? REKEYS : OLD, 0).reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "30, 30", "100, 100"})
  void shouldOfferTheKernelTheShareThatIsWanted(int percent, int expected) {
    Wish wish = new Wish(RecordsWanted.AUTO, percent, false);

    long offered =
        IntStream.range(0, 100)
            .filter(hash -> RecordPath.atAccept(wish, REKEYS, hash).reason() == PathReason.NONE)
            .count();

    assertThat(offered).isEqualTo(expected);
    if (percent == 0) {
      assertThat(RecordPath.atAccept(wish, REKEYS, 7).reason()).isEqualTo(PathReason.PERCENTAGE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "KERNEL,             true,  true,  true,  AES_128_GCM,       KERNEL,    NONE",
    "KERNEL,             true,  false, true,  AES_128_GCM,       KERNEL_TX, OPENSSL_TOO_OLD",
    "KERNEL_TX,          true,  false, true,  AES_128_GCM,       KERNEL_TX, POLICY",
    "KERNEL_TX,          false, false, false, AES_128_GCM,       OPENSSL,   BOTH_OR_NONE",
    "KERNEL,             false, false, true,  CHACHA20_POLY1305, OPENSSL,   CIPHER_UNSUPPORTED",
    "KERNEL,             false, false, true,  ,                  OPENSSL,   CIPHER_UNSUPPORTED",
    "KERNEL,             false, false, true,  AES_128_GCM,       OPENSSL,   ULP_REFUSED",
    "AUTO,               false, false, true,  AES_128_GCM,       OPENSSL,   KERNEL_NO_REKEY",
    "AUTO,               true,  true,  false, AES_128_GCM,       KERNEL,    NONE",
    "OPENSSL_DESCRIPTOR, false, false, true,  AES_128_GCM,       OPENSSL,   POLICY"
  })
  void shouldSayWhoSealsAndWhyNotTheKernel(
      RecordsWanted wanted,
      boolean sends,
      boolean receives,
      boolean tls13,
      KernelCipher cipher,
      Records records,
      PathReason reason) {
    TransportChoice transport = RecordPath.atAccept(new Wish(wanted, 100, false), OLD, 0);

    assertThat(
            RecordPath.afterHandshake(
                transport, OLD, new HandedOver(sends, receives, tls13, cipher)))
        .isEqualTo(new RecordsChoice(records, reason));
  }

  /** Whatever this kernel is: what the probe says fits what a socket of ours is told. */
  @Test
  void shouldNameCiphersOrTheReasonForNone() {
    KernelTls kernel = KernelTlsProbe.run();

    assertThat(kernel.available()).isEqualTo(kernel.refusal() == PathReason.NONE);
    if (kernel.available()) {
      assertThat(kernel.tls13()).contains(KernelCipher.AES_128_GCM);
      assertThat(kernel.tls12()).contains(KernelCipher.AES_128_GCM);
    } else {
      assertThat(kernel.detail()).startsWith("TCP_ULP tls: ");
    }
    assertThat(kernel.detail()).doesNotContain(Errno.name(Errno.ENOTCONN));
  }
}
