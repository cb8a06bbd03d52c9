package dev.postern.operator.pki;

import static dev.postern.operator.pki.Pki.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IssuedCertificateTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldVerifyWithOpensslWhenIssuedByACaOfAnyAlgorithm(KeyAlgorithm algorithm)
      throws Exception {
    Instant now = Instant.now();
    CertificateAuthority ca = Pki.authority(algorithm, Duration.ofDays(30), now);
    KeyPair pair = algorithm.generate();
    IssuedCertificate issued = ca.issue(Pki.request(pair), now);
    Files.write(directory.resolve("ca.crt"), issued.anchorPem());
    Files.write(directory.resolve("tls.crt"), issued.chainPem());
    Files.write(directory.resolve("tls.key"), PemPrivateKey.write(pair.getPrivate()));

    for (String purpose : List.of("sslserver", "sslclient")) {
      assertThat(
              Pki.openssl(
                  directory,
                  "verify",
                  "-x509_strict",
                  "-purpose",
                  purpose,
                  "-verify_hostname",
                  "web.shop.svc",
                  "-CAfile",
                  "ca.crt",
                  "tls.crt"))
          .contains("tls.crt: OK");
    }
    String certificateKey = Pki.openssl(directory, "x509", "-in", "tls.crt", "-noout", "-pubkey");
    assertThat(Pki.openssl(directory, "pkey", "-in", "tls.key", "-pubout"))
        .isEqualTo(certificateKey);
  }

  @ParameterizedTest
  @CsvSource({
    "ECDSA_P256, ecdsa-with-SHA256",
    "ECDSA_P384, ecdsa-with-SHA384",
    "RSA_2048, sha256WithRSAEncryption",
    "ED25519, ED25519"
  })
  void shouldShowTheRightExtensionsWhenReadByOpenssl(KeyAlgorithm algorithm, String signature)
      throws Exception {
    IssuedCertificate issued = issue(Pki.authority(algorithm), Pki.DAY);
    Files.write(directory.resolve("tls.crt"), issued.chainPem());

    String text = Pki.openssl(directory, "x509", "-in", "tls.crt", "-noout", "-text");

    assertThat(text.replaceAll("\\s+", " "))
        .contains("Signature Algorithm: " + signature)
        .contains("X509v3 Basic Constraints: critical CA:FALSE")
        .contains("X509v3 Key Usage: critical Digital Signature X509v3")
        .contains(
            "X509v3 Extended Key Usage: TLS Web Server Authentication, TLS Web Client"
                + " Authentication")
        .contains("X509v3 Subject Key Identifier:", "X509v3 Authority Key Identifier:")
        .contains(
            "X509v3 Subject Alternative Name: critical DNS:web.shop.svc,"
                + " URI:spiffe://cluster.local/ns/shop/sa/web");
  }

  @Test
  void shouldLeaveSubjectAlternativeNameUncriticalWhenSubjectHasACommonName() {
    CertificateNames names =
        new CertificateNames("web.shop.svc", List.of("web.shop.svc"), null, null);
    LeafRequest request =
        new LeafRequest(names, KeyAlgorithm.ECDSA_P256.generate().getPublic(), Pki.USAGES, Pki.DAY);

    X509Certificate leaf = Pki.authority(KeyAlgorithm.ECDSA_P256).issue(request, NOW).leaf();

    assertThat(leaf.getCriticalExtensionOIDs()).doesNotContain("2.5.29.17");
    assertThat(CertificateNames.of(leaf)).isEqualTo(names);
  }

  @Test
  void shouldHaveExactlyTheDecidedNamesWhenAllKindsAreAsked() {
    CertificateNames names =
        new CertificateNames(
            "web",
            List.of("web", "web.shop"),
            List.of("10.1.2.3", "2001:db8:0:0:0:0:0:1"),
            List.of("spiffe://cluster.local/ns/shop/sa/web"));
    LeafRequest request =
        new LeafRequest(names, KeyAlgorithm.ECDSA_P256.generate().getPublic(), Pki.USAGES, Pki.DAY);

    X509Certificate leaf = Pki.authority(KeyAlgorithm.ECDSA_P256).issue(request, NOW).leaf();

    assertThat(CertificateNames.of(leaf)).isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource({"RSA_2048, true", "ECDSA_P256, false"})
  void shouldAllowKeyEnciphermentOnlyWhenAskedForAnRsaKey(
      KeyAlgorithm algorithm, boolean encipherment) {
    LeafRequest request =
        new LeafRequest(
            Pki.WEB,
            algorithm.generate().getPublic(),
            Usage.parse(List.of("key encipherment", "server auth")),
            Pki.DAY);

    X509Certificate leaf = Pki.authority(KeyAlgorithm.ECDSA_P256).issue(request, NOW).leaf();

    assertThat(leaf.getKeyUsage()[0]).isTrue();
    assertThat(leaf.getKeyUsage()[2]).isEqualTo(encipherment);
  }

  @Test
  void shouldBeginAMinuteAgoAndLastAsLongAsAskedWhenTheCaAllows() {
    X509Certificate leaf = issue(Pki.authority(KeyAlgorithm.ECDSA_P256), Pki.DAY).leaf();

    assertThat(leaf.getNotBefore().toInstant()).isEqualTo(NOW.minusSeconds(60));
    assertThat(leaf.getNotAfter().toInstant()).isEqualTo(NOW.minusSeconds(60).plus(Pki.DAY));
  }

  @Test
  void shouldStayWithinTheCasValidityWhenAskedForMore() {
    CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256, Pki.DAY, NOW.plusSeconds(60));

    X509Certificate leaf = issue(ca, Duration.ofDays(90)).leaf();

    assertThat(leaf.getNotBefore()).isEqualTo(ca.certificate().getNotBefore());
    assertThat(leaf.getNotAfter()).isEqualTo(ca.certificate().getNotAfter());
  }

  @Test
  void shouldRefuseToIssueWhenTheCaHasEnded() {
    CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256, Pki.DAY, NOW);
    Instant end = ca.certificate().getNotAfter().toInstant();
    KeyPair pair = KeyAlgorithm.ECDSA_P256.generate();

    assertThat(ca.issue(Pki.request(pair), end.minusSeconds(1)).leaf()).isNotNull();
    assertThatThrownBy(() -> ca.issue(Pki.request(pair), end))
        .isInstanceOf(PkiException.class)
        .hasMessageContaining("ended at " + end);
  }

  @Test
  void shouldGiveEveryCertificateAnotherSerialOf128Bits() {
    CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256);

    X509Certificate one = issue(ca, Pki.DAY).leaf();
    X509Certificate other = issue(ca, Pki.DAY).leaf();

    assertThat(one.getSerialNumber()).isNotEqualTo(other.getSerialNumber());
    assertThat(one.getSerialNumber().bitLength()).isBetween(128, 159);
    assertThat(one.getSerialNumber().signum()).isPositive();
  }

  @Test
  void shouldCarryIntermediatesAndNameTheRootAsAnchorWhenTheCaIsAnIntermediate() throws Exception {
    byte[] chain = intermediate();
    CertificateAuthority ca =
        CertificateAuthority.fromPem(
            "Secret x", chain, Pki.read(directory, "sub.key"), Instant.now());
    KeyPair pair = KeyAlgorithm.ED25519.generate();

    IssuedCertificate issued = ca.issue(Pki.request(pair), Instant.now());

    assertThat(issued.chain()).hasSize(2);
    Files.write(directory.resolve("tls.crt"), issued.chainPem());
    Files.write(directory.resolve("ca.crt"), issued.anchorPem());
    assertThat(
            Pki.openssl(
                directory, "verify", "-CAfile", "ca.crt", "-untrusted", "tls.crt", "tls.crt"))
        .contains("OK");
  }

  @Test
  void shouldVerifyAgainstItselfWhenSelfSignedWithoutSubject() throws Exception {
    KeyPair pair = KeyAlgorithm.ECDSA_P256.generate();

    IssuedCertificate issued = SelfSignedLeaf.issue(Pki.request(pair), pair, Instant.now());

    Files.write(directory.resolve("tls.crt"), issued.chainPem());
    assertThat(issued.anchor()).isEqualTo(issued.leaf());
    assertThat(issued.leaf().getBasicConstraints()).isEqualTo(-1);
    assertThat(Pki.openssl(directory, "verify", "-CAfile", "tls.crt", "tls.crt")).contains("OK");
  }

  /** A root and a CA below it, made by openssl: the chain's PEM, and sub.key in the directory. */
  private byte[] intermediate() throws Exception {
    Pki.openssl(
        directory,
        ("req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.crt -subj /CN=root -days 9"
                + " -addext keyUsage=critical,keyCertSign")
            .split(" "));
    Pki.openssl(
        directory,
        ("req -newkey ec -pkeyopt ec_paramgen_curve:P-384 -nodes -keyout sub.key -out sub.csr"
                + " -subj /CN=sub")
            .split(" "));
    Files.writeString(
        directory.resolve("ext"),
        "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign\n");
    Pki.openssl(
        directory,
        ("x509 -req -in sub.csr -CA root.crt -CAkey root.key -CAcreateserial -days 8"
                + " -extfile ext -out sub.crt")
            .split(" "));
    return (Files.readString(directory.resolve("sub.crt"))
            + Files.readString(directory.resolve("root.crt")))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static IssuedCertificate issue(CertificateAuthority ca, Duration lifetime) {
    return ca.issue(
        new LeafRequest(
            Pki.WEB, KeyAlgorithm.ECDSA_P256.generate().getPublic(), Pki.USAGES, lifetime),
        NOW);
  }
}
