package dev.postern.operator.pki;

import static dev.postern.operator.pki.Pki.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemReadingTest {
  private final CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256);
  private final String certificate = text(ca.certificatePem());
  private final String key = text(ca.privateKeyPem());

  @ParameterizedTest
  @ValueSource(strings = {"\r\n", "\r", " \t\n", "\n\n"})
  void shouldReadWhenLinesEndOtherwise(String lineEnd) {
    assertThat(PemCertificates.readChain("x", bytes(certificate.replace("\n", lineEnd))))
        .containsExactly(ca.certificate());
  }

  @Test
  void shouldWriteLinesOf64AndLfOnly() {
    assertThat(certificate).doesNotContain("\r").endsWith("-----END CERTIFICATE-----\n");
    assertThat(certificate.lines()).allMatch(line -> line.length() <= 64);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                               | x: empty, expected PEM",
        "'\n \n'                          | x: empty, expected PEM",
        "'hello'                          | x line 1: text outside of a PEM block; remove it",
        "'-----BEGIN CERTIFICATE-----\nAA' | x line 2: the CERTIFICATE block from line 1 has no END",
        "'-----BEGIN CERTIFICATE-----\n-----BEGIN X-----' | x line 2: expected -----END CERTIFICATE",
        "'-----BEGIN CERTIFICATE-----\n-----END X-----' | x line 2: expected -----END CERTIFICATE",
        "'-----END CERTIFICATE-----'      | x line 1: expected a -----BEGIN line",
        "'-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----' | x line 2: an empty CERTIFICATE",
        "'-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----' | is not Base64",
        "'-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' | x line 1: not an X.509",
        "'-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----' | expected CERTIFICATE, found X509",
      })
  void shouldSayTheLineWhenPemIsBroken(String pem, String message) {
    assertThatThrownBy(() -> PemCertificates.readChain("x", bytes(pem)))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldRefuseAChainWhenItsOrderIsWrong() {
    CertificateAuthority other = Pki.authority(KeyAlgorithm.ECDSA_P256);
    IssuedCertificate leaf = ca.issue(Pki.request(KeyAlgorithm.ECDSA_P256.generate()), NOW);

    assertThatThrownBy(
            () -> PemCertificates.readChain("tls.crt", bytes(certificate + text(leaf.chainPem()))))
        .hasMessageContaining("tls.crt: certificate 2 did not issue certificate 1");
    assertThatThrownBy(
            () ->
                PemCertificates.readChain(
                    "tls.crt", bytes(text(leaf.chainPem()) + text(other.certificatePem()))))
        .hasMessageContaining("did not issue");
  }

  @Test
  void shouldRefuseAPrivateKeyWhenItStandsInATrustSource() {
    assertThatThrownBy(() -> PemCertificates.readAnchors("ConfigMap x", bytes(certificate + key)))
        .hasMessageContaining("a private key among certificates; remove it");
  }

  @Test
  void shouldRefuseALeafWhenItStandsInATrustSource() {
    IssuedCertificate leaf = ca.issue(Pki.request(KeyAlgorithm.ECDSA_P256.generate()), NOW);

    assertThatThrownBy(() -> PemCertificates.readAnchors("x", leaf.chainPem()))
        .hasMessageContaining("is not a CA");
  }

  @Test
  void shouldReadAnchorsInAnyOrderWhenTheyAreUnrelated() {
    CertificateAuthority other = Pki.authority(KeyAlgorithm.ED25519);

    assertThat(PemCertificates.readAnchors("x", bytes(certificate + text(other.certificatePem()))))
        .containsExactly(ca.certificate(), other.certificate());
  }

  @Test
  void shouldRefuseASecondBlockWhenAKeyIsRead() {
    assertThatThrownBy(() -> PemPrivateKey.read("tls.key", bytes(key + key)))
        .hasMessageContaining("tls.key: a second PEM block at line")
        .hasMessageContaining("one private key and nothing else");
  }

  @Test
  void shouldSayHowToDecryptWhenAKeyIsEncrypted() {
    assertThatThrownBy(
            () -> PemPrivateKey.read("tls.key", bytes(key.replace("PRIVATE", "ENCRYPTED PRIVATE"))))
        .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
  }

  @Test
  void shouldRefuseACertificateWhenAKeyIsExpected() {
    assertThatThrownBy(() -> PemPrivateKey.read("tls.key", ca.certificatePem()))
        .hasMessage("tls.key: expected PRIVATE KEY, found CERTIFICATE");
  }

  @Test
  void shouldOnlyEverThrowItsOwnExceptionWhenBytesAreFlipped() {
    Random random = new Random(7);
    KeyPair pair = KeyAlgorithm.ECDSA_P256.generate();
    byte[] pem = ca.issue(Pki.request(pair), NOW).chainPem();
    int refused = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] broken = pem.clone();
      broken[random.nextInt(broken.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        PemCertificates.readChain("x", broken);
      } catch (PkiException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  private static String text(byte[] pem) {
    return new String(pem, StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(String pem) {
    return pem.getBytes(StandardCharsets.US_ASCII);
  }
}
