package dev.postern.operator.pki;

import static dev.postern.operator.pki.Pki.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CertificateAuthorityTest {
  private static final String SOURCE = "Secret postern-system/postern-ca";

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldComeBackFromItsOwnPemWhenMadeByUs(KeyAlgorithm algorithm) {
    CertificateAuthority made = Pki.authority(algorithm);

    CertificateAuthority read =
        CertificateAuthority.fromPem(SOURCE, made.certificatePem(), made.privateKeyPem(), NOW);

    assertThat(read.certificate()).isEqualTo(made.certificate());
    assertThat(read.anchor()).isEqualTo(made.certificate());
  }

  @ParameterizedTest
  @CsvSource({
    "-newkey rsa:2048, -traditional",
    "-newkey ec -pkeyopt ec_paramgen_curve:P-256, -traditional",
    "-newkey ed25519, ''"
  })
  void shouldReadKeysOfOpensslWhenTheyArePkcs1OrSec1(String newKey, String form) throws Exception {
    openssl(
        "req -x509 -nodes -keyout pkcs8.key -out ca.crt -subj /CN=ca -days 2"
            + " -addext keyUsage=critical,keyCertSign "
            + newKey);
    openssl(("pkey -in pkcs8.key -out ca.key " + form).strip());

    CertificateAuthority read =
        CertificateAuthority.fromPem(
            SOURCE, Pki.read(directory, "ca.crt"), Pki.read(directory, "ca.key"), Instant.now());

    assertThat(read.certificate().getSubjectX500Principal()).hasToString("CN=ca");
  }

  @Test
  void shouldNameTheFieldWhenTheKeyIsMissing() {
    assertRefused(Pki.authority(KeyAlgorithm.ECDSA_P256).certificatePem(), null)
        .hasMessage(SOURCE + " tls.key is missing");
  }

  @Test
  void shouldNameTheFieldWhenTheCertificateIsEmpty() {
    assertRefused(new byte[0], Pki.authority(KeyAlgorithm.ECDSA_P256).privateKeyPem())
        .hasMessage(SOURCE + " tls.crt is missing");
  }

  @ParameterizedTest
  @CsvSource({"ECDSA_P256, ECDSA_P256", "ECDSA_P256, RSA_2048", "ED25519, ECDSA_P384"})
  void shouldRefuseTheKeyWhenItBelongsToAnotherCertificate(KeyAlgorithm one, KeyAlgorithm other) {
    assertRefused(Pki.authority(one).certificatePem(), Pki.authority(other).privateKeyPem())
        .hasMessage(SOURCE + " tls.key does not belong to the certificate in tls.crt");
  }

  @Test
  void shouldRefuseALeafWhenGivenAsCa() {
    KeyPair pair = KeyAlgorithm.ECDSA_P256.generate();
    IssuedCertificate leaf = Pki.authority(KeyAlgorithm.ECDSA_P256).issue(Pki.request(pair), NOW);

    assertRefused(leaf.chainPem(), PemPrivateKey.write(pair.getPrivate()))
        .hasMessageContaining("is not a CA");
  }

  @Test
  void shouldRefuseACaWhenItMayNotSignCertificates() throws Exception {
    openssl(
        "req -x509 -nodes -newkey rsa:2048 -keyout ca.key -out ca.crt -subj /CN=ca"
            + " -addext keyUsage=critical,cRLSign");

    assertRefused(Pki.read(directory, "ca.crt"), Pki.read(directory, "ca.key"), Instant.now())
        .hasMessageContaining("keyCertSign is missing");
  }

  @Test
  void shouldRefuseTheCaFromTheMomentItEnds() {
    CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256, Duration.ofDays(2), NOW);
    Instant end = ca.certificate().getNotAfter().toInstant();

    assertThat(
            CertificateAuthority.fromPem(
                SOURCE, ca.certificatePem(), ca.privateKeyPem(), end.minusSeconds(1)))
        .isNotNull();
    assertRefused(ca.certificatePem(), ca.privateKeyPem(), end)
        .hasMessageContaining("ended at " + end);
  }

  @Test
  void shouldRefuseTheCaBeforeItBegins() {
    CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256, Pki.DAY, NOW);

    assertRefused(ca.certificatePem(), ca.privateKeyPem(), NOW.minusSeconds(61))
        .hasMessageContaining("begins only at");
  }

  @Test
  void shouldRefuseWeakRsaWhenGivenAsCa() throws Exception {
    openssl(
        "req -x509 -nodes -newkey rsa:1024 -keyout ca.key -out ca.crt -subj /CN=ca"
            + " -addext keyUsage=critical,keyCertSign");

    assertRefused(Pki.read(directory, "ca.crt"), Pki.read(directory, "ca.key"), Instant.now())
        .hasMessageContaining("RSA with 1024 bits");
  }

  @Test
  void shouldNotRepeatTheKeyWhenItCannotBeRead() {
    byte[] key =
        "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
            .getBytes(StandardCharsets.US_ASCII);

    assertRefused(Pki.authority(KeyAlgorithm.ECDSA_P256).certificatePem(), key)
        .hasMessage(SOURCE + " tls.key: not a private key that can be read")
        .hasNoCause();
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      byte[] crt, byte[] key) {
    return assertRefused(crt, key, NOW);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      byte[] crt, byte[] key, Instant now) {
    return assertThatThrownBy(() -> CertificateAuthority.fromPem(SOURCE, crt, key, now))
        .isInstanceOf(PkiException.class);
  }

  private void openssl(String arguments) throws Exception {
    Pki.openssl(directory, arguments.split(" "));
  }
}
