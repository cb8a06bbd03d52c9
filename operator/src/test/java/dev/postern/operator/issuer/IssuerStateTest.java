package dev.postern.operator.issuer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.IssuerScope;
import dev.postern.operator.pki.KeyAlgorithm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IssuerStateTest {

  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final CertificateAuthority CA = authority();
  private static final CertificateAuthority OTHER = authority();

  @Test
  void shouldBeReadyWithACertificateAndItsKey() {
    IssuerState state = state(CA.certificatePem(), CA.privateKeyPem());
    assertThat(state).isInstanceOf(IssuerState.Ready.class);
    assertThat(state.reason()).isEqualTo("KeyPairVerified");
    assertThat(state.message()).contains(CA.certificate().getSerialNumber().toString(16));
  }

  @Test
  void shouldSayThatTheSecretIsMissing() {
    IssuerState state =
        IssuerState.authority(IssuerScope.CLUSTER, List.of(), "Secret a/b", null, NOW);
    assertThat(state.reason()).isEqualTo("ErrGetKeyPair");
    assertThat(state.message()).contains("Secret a/b");
  }

  @Test
  void shouldRefuseTheKeyOfAnother() {
    IssuerState state = state(CA.certificatePem(), OTHER.privateKeyPem());
    assertThat(state.reason()).isEqualTo("ErrInvalidKeyPair");
    assertThat(state.message()).contains("Secret a/b tls.key");
  }

  @Test
  void shouldRefuseAnEmptySecret() {
    assertThat(state(null, null).reason()).isEqualTo("ErrInvalidKeyPair");
  }

  private static IssuerState state(byte[] certificate, byte[] key) {
    Map<String, byte[]> data =
        certificate == null ? Map.of() : Map.of("tls.crt", certificate, "tls.key", key);
    return IssuerState.authority(IssuerScope.CLUSTER, List.of(), "Secret a/b", data, NOW);
  }

  private static CertificateAuthority authority() {
    return CertificateAuthority.selfSigned(
        "CA", KeyAlgorithm.ECDSA_P256, Duration.ofDays(30), 0, NOW);
  }
}
