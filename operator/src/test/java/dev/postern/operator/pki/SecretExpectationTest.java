package dev.postern.operator.pki;

import static dev.postern.operator.pki.Pki.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.operator.pki.SecretVerdict.Reason;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretExpectationTest {
  private final CertificateAuthority ca = Pki.authority(KeyAlgorithm.ECDSA_P256);
  private final KeyPair pair = KeyAlgorithm.ECDSA_P256.generate();
  private final IssuedCertificate issued = ca.issue(Pki.request(pair), NOW);
  private final Map<String, byte[]> data = secret(issued, pair);

  @ParameterizedTest
  @EnumSource
  void shouldBeReadyWhenAllFits(KeyAlgorithm algorithm) {
    KeyPair other = algorithm.generate();

    SecretVerdict verdict =
        expectation(Pki.WEB, algorithm, ca)
            .check(secret(ca.issue(Pki.request(other), NOW), other), NOW);

    assertThat(verdict.reason()).as(verdict.message()).isEqualTo(Reason.READY);
    assertThat(verdict.leaf()).isPresent();
  }

  @Test
  void shouldNotExistWhenThereIsNoSecret() {
    assertVerdict(null, Reason.DOES_NOT_EXIST, "does not exist");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls.crt", "tls.key", "ca.crt"})
  void shouldMissDataWhenAFieldIsAbsentOrEmpty(String field) {
    data.put(field, new byte[0]);
    assertVerdict(data, Reason.MISSING_DATA, field + " is missing or empty");
    data.remove(field);
    assertVerdict(data, Reason.MISSING_DATA, field + " is missing or empty");
  }

  @Test
  void shouldBeAnInvalidPairWhenTheKeyIsAnother() {
    data.put("tls.key", PemPrivateKey.write(KeyAlgorithm.ECDSA_P256.generate().getPrivate()));
    assertVerdict(data, Reason.INVALID_KEY_PAIR, "tls.key does not belong");
  }

  @Test
  void shouldBeAnInvalidPairWhenTheKeyIsOfAnotherAlgorithm() {
    data.put("tls.key", PemPrivateKey.write(KeyAlgorithm.ED25519.generate().getPrivate()));
    assertVerdict(data, Reason.INVALID_KEY_PAIR, "tls.key does not belong");
  }

  @Test
  void shouldBeAnInvalidPairWhenTheKeyHasASecondBlock() {
    data.put("tls.key", join(data.get("tls.key"), data.get("tls.crt")));
    assertVerdict(data, Reason.INVALID_KEY_PAIR, "tls.key: a second PEM block");
  }

  @Test
  void shouldBeAnInvalidPairWhenTheChainIsInTheWrongOrder() {
    data.put("tls.crt", join(ca.certificatePem(), data.get("tls.crt")));
    assertVerdict(data, Reason.INVALID_KEY_PAIR, "tls.crt: certificate 2 did not issue");
  }

  @Test
  void shouldBeAnInvalidPairWhenTheCertificateIsGarbage() {
    data.put("tls.crt", "hello".getBytes(StandardCharsets.US_ASCII));
    assertVerdict(data, Reason.INVALID_KEY_PAIR, "tls.crt line 1: text outside");
  }

  @Test
  void shouldStayReadyWhenLinesEndWithCrlf() {
    String crt = new String(data.get("tls.crt"), StandardCharsets.US_ASCII);
    data.put("tls.crt", crt.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
    assertVerdict(data, Reason.READY, "valid until");
  }

  @Test
  void shouldMismatchWhenTheSpecNamesOthers() {
    SecretExpectation other =
        expectation(CertificateNames.ofDns(List.of("db.shop.svc")), KeyAlgorithm.ECDSA_P256, ca);

    SecretVerdict verdict = other.check(data, NOW);

    assertThat(verdict.reason()).isEqualTo(Reason.SECRET_MISMATCH);
    assertThat(verdict.message())
        .contains("dnsNames ([db.shop.svc] is wanted, [web.shop.svc] is there)")
        .contains("uris");
  }

  @Test
  void shouldMismatchWhenTheSpecWantsAnotherAlgorithm() {
    SecretVerdict verdict = expectation(Pki.WEB, KeyAlgorithm.RSA_2048, ca).check(data, NOW);

    assertThat(verdict.reason()).isEqualTo(Reason.SECRET_MISMATCH);
    assertThat(verdict.message()).contains("privateKey (RSA 2048 is wanted)");
  }

  @Test
  void shouldMismatchWhenTheSpecWantsOtherUsages() {
    SecretExpectation server =
        new SecretExpectation(
            Pki.WEB,
            Usage.parse(List.of("server auth")),
            KeyAlgorithm.ECDSA_P256,
            Optional.of(ca),
            RenewalPolicy.atTwoThirds("a"));

    assertThat(server.check(data, NOW).message()).isEqualTo("differs from the spec in usages");
  }

  @Test
  void shouldHaveTheWrongIssuerWhenTheCaWasReplacedUnderTheSameName() {
    CertificateAuthority replaced = Pki.authority(KeyAlgorithm.ECDSA_P256);

    SecretVerdict verdict =
        expectation(Pki.WEB, KeyAlgorithm.ECDSA_P256, replaced).check(data, NOW);

    assertThat(verdict.reason()).isEqualTo(Reason.INCORRECT_ISSUER);
  }

  @Test
  void shouldHaveTheWrongIssuerWhenCaCrtIsAnothers() {
    data.put("ca.crt", Pki.authority(KeyAlgorithm.ECDSA_P256).certificatePem());
    assertVerdict(data, Reason.INCORRECT_ISSUER, "not issued by");
  }

  @Test
  void shouldRenewFromTheMomentThatThePolicyGives() {
    Instant renewAt = expectation().check(data, NOW).renewAt().orElseThrow();

    assertThat(expectation().check(data, renewAt.minusSeconds(1)).reason()).isEqualTo(Reason.READY);
    assertThat(expectation().check(data, renewAt).reason()).isEqualTo(Reason.RENEWING);
  }

  @Test
  void shouldBeExpiredFromTheMomentItEnds() {
    Instant end = issued.leaf().getNotAfter().toInstant();

    assertThat(expectation().check(data, end.minusSeconds(1)).reason()).isEqualTo(Reason.RENEWING);
    assertThat(expectation().check(data, end).reason()).isEqualTo(Reason.EXPIRED);
  }

  @Test
  void shouldBeReadyWhenSelfSignedIsWhatIsWanted() {
    KeyPair own = KeyAlgorithm.ED25519.generate();
    SecretExpectation selfSigned =
        new SecretExpectation(
            Pki.WEB,
            Pki.USAGES,
            KeyAlgorithm.ED25519,
            Optional.empty(),
            RenewalPolicy.atTwoThirds("a"));

    SecretVerdict verdict =
        selfSigned.check(secret(SelfSignedLeaf.issue(Pki.request(own), own, NOW), own), NOW);

    assertThat(verdict.reason()).as(verdict.message()).isEqualTo(Reason.READY);
  }

  @Test
  void shouldHaveTheWrongIssuerWhenSelfSignedIsWantedAndACaSigned() {
    SecretExpectation selfSigned =
        new SecretExpectation(
            Pki.WEB,
            Pki.USAGES,
            KeyAlgorithm.ECDSA_P256,
            Optional.empty(),
            RenewalPolicy.atTwoThirds("a"));

    assertThat(selfSigned.check(data, NOW).reason()).isEqualTo(Reason.INCORRECT_ISSUER);
  }

  @Test
  void shouldServeStillOnlyWhenRenewingOrReady() {
    assertThat(List.of(Reason.values()).stream().filter(Reason::usable))
        .containsExactly(Reason.RENEWING, Reason.READY);
  }

  private void assertVerdict(Map<String, byte[]> secret, Reason reason, String message) {
    SecretVerdict verdict = expectation().check(secret, NOW);
    assertThat(verdict.reason()).as(verdict.message()).isEqualTo(reason);
    assertThat(verdict.message()).contains(message);
  }

  private SecretExpectation expectation() {
    return expectation(Pki.WEB, KeyAlgorithm.ECDSA_P256, ca);
  }

  private static SecretExpectation expectation(
      CertificateNames names, KeyAlgorithm algorithm, CertificateAuthority issuer) {
    return new SecretExpectation(
        names,
        Pki.USAGES,
        algorithm,
        Optional.of(issuer),
        new RenewalPolicy(Duration.ofHours(8), null, "a"));
  }

  private static Map<String, byte[]> secret(IssuedCertificate issued, KeyPair pair) {
    Map<String, byte[]> data = new HashMap<>();
    data.put("tls.crt", issued.chainPem());
    data.put("tls.key", PemPrivateKey.write(pair.getPrivate()));
    data.put("ca.crt", issued.anchorPem());
    return data;
  }

  private static byte[] join(byte[] one, byte[] other) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.writeBytes(one);
    joined.writeBytes(other);
    return joined.toByteArray();
  }
}
