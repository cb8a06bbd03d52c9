package dev.postern.operator.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.crds.CertificateSpec;
import dev.postern.crds.IssuerRef;
import dev.postern.crds.PrivateKeySpec;
import dev.postern.crds.SecretTemplate;
import dev.postern.operator.issuer.IssuerState;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.IssuerScope;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.PkiException;
import dev.postern.operator.pki.Requester;
import dev.postern.operator.pki.SecretVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateDecisionTest {

  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final String IDENTITY = "spiffe://cluster.local/ns/shop/sa/web";
  private static final CertificateAuthority CA =
      CertificateAuthority.selfSigned("CA", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), 0, NOW);
  private static final IssuerState.Ready ISSUER =
      new IssuerState.Ready(IssuerScope.CLUSTER, Optional.of(CA), List.of(), "", "");
  private static final CertificateDecision DECISIONS =
      new CertificateDecision("cluster.local", "cluster.local");

  @Test
  void shouldIssueWhenThereIsNoSecret() {
    Decision decision = decide(spec(IDENTITY), ISSUER, HeldSecret.none(), NOW);
    assertThat(decision).isInstanceOf(Decision.Issue.class);
    assertThat(decision.reason()).isEqualTo("DoesNotExist");
  }

  @Test
  void shouldKeepWhatItIssuedUntilTwoThirdsOfItsLife() {
    Signing.Signed signed = signed();
    HeldSecret held = held(HeldSecret.Holder.THIS, signed.data());
    Instant renewAt = signed.verdict().renewAt().orElseThrow();

    assertThat(decide(spec(IDENTITY), ISSUER, held, renewAt.minusSeconds(1)))
        .isInstanceOf(Decision.Keep.class);
    Decision due = decide(spec(IDENTITY), ISSUER, held, renewAt);
    assertThat(due).isInstanceOf(Decision.Issue.class);
    assertThat(due.reason()).isEqualTo("Renewing");
    assertThat(Duration.between(NOW, renewAt))
        .isBetween(Duration.ofHours(15), Duration.ofHours(16));
  }

  @Test
  void shouldIssueAnewWhenTheIssuerHasAnotherAuthority() {
    CertificateAuthority other =
        CertificateAuthority.selfSigned(
            "CA", KeyAlgorithm.ECDSA_P256, Duration.ofDays(365), 0, NOW);
    IssuerState.Ready changed =
        new IssuerState.Ready(IssuerScope.CLUSTER, Optional.of(other), List.of(), "", "");
    Decision decision =
        decide(spec(IDENTITY), changed, held(HeldSecret.Holder.THIS, signed().data()), NOW);
    assertThat(decision.reason()).isEqualTo("IncorrectIssuer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spiffe://cluster.local/ns/other/sa/web",
        "spiffe://cluster.local/ns/shop/sa/ghost",
        "spiffe://elsewhere/ns/shop/sa/web",
        "https://shop.example.org/"
      })
  void shouldRefuseANameThatIsNotItsOwn(String uri) {
    Decision decision = decide(spec(uri), ISSUER, HeldSecret.none(), NOW);
    assertThat(decision).isInstanceOf(Decision.Refuse.class);
    assertThat(decision.reason()).isEqualTo("Denied");
    assertThat(decision.message()).contains(uri);
  }

  @Test
  void shouldRefuseANameEvenWhenItWasIssuedBefore() {
    HeldSecret held = held(HeldSecret.Holder.THIS, signed().data());
    Requester withoutAccount = new Requester("shop", Set.of(), Set.of());
    Decision decision =
        DECISIONS.decide(new Observation(spec(IDENTITY), "uid", ISSUER, withoutAccount, held, NOW));
    assertThat(decision.reason()).isEqualTo("Denied");
  }

  @Test
  void shouldLetANamespacesOwnIssuerGrantAnyName() {
    IssuerState.Ready own =
        new IssuerState.Ready(IssuerScope.NAMESPACE, Optional.of(CA), List.of(), "", "");
    assertThat(decide(spec("https://example.org/x"), own, HeldSecret.none(), NOW))
        .isInstanceOf(Decision.Issue.class);
  }

  @ParameterizedTest
  @CsvSource({"ANOTHER, Conflict", "FOREIGN, Conflict", "ORPHAN, DoesNotExist"})
  void shouldNotWriteWhatIsNotItsOwn(HeldSecret.Holder holder, String reason) {
    Decision decision = decide(spec(IDENTITY), ISSUER, held(holder, Map.of()), NOW);
    assertThat(decision).isNotInstanceOf(Decision.Issue.class);
    assertThat(decision.reason()).isEqualTo(reason);
    assertThat(decision.message()).contains("web-tls");
  }

  @Test
  void shouldWaitForTheIssuer() {
    assertThat(
            decide(spec(IDENTITY), new IssuerState.Missing("no"), HeldSecret.none(), NOW).reason())
        .isEqualTo("IssuerNotFound");
    assertThat(
            decide(
                    spec(IDENTITY),
                    new IssuerState.NotReady("ErrGetKeyPair", "no Secret"),
                    HeldSecret.none(),
                    NOW)
                .reason())
        .isEqualTo("IssuerNotReady");
  }

  @ParameterizedTest
  @CsvSource({
    "9m, '', duration",
    "87601h, '', duration",
    "1h, 1h, renewBefore",
    "99999999999999999999h, '', duration"
  })
  void shouldRefuseTimesThatCannotBe(String duration, String renewBefore, String field) {
    CertificateSpec spec = spec(IDENTITY, duration, renewBefore, null);
    Decision decision = decide(spec, ISSUER, HeldSecret.none(), NOW);
    assertThat(decision.reason()).isEqualTo("InvalidSpec");
    assertThat(decision.message()).startsWith(field);
  }

  @Test
  void shouldRefuseATemplateThatSaysWhoseTheSecretIs() {
    CertificateSpec spec =
        spec(
            IDENTITY,
            null,
            null,
            new SecretTemplate(Map.of(), Map.of("postern.dev/certificate-uid", "x")));
    Decision decision = decide(spec, ISSUER, HeldSecret.none(), NOW);
    assertThat(decision.reason()).isEqualTo("InvalidSpec");
    assertThat(decision.message()).contains("postern.dev/certificate-uid");
  }

  @Test
  void shouldUseTheKeyAgainOnlyWhereTheSpecSaysSo() {
    Map<String, byte[]> first = signed().data();
    Instant later = NOW.plus(Duration.ofHours(20));
    HeldSecret held = held(HeldSecret.Holder.THIS, first);
    Decision.Issue always = (Decision.Issue) decide(spec(IDENTITY), ISSUER, held, later);
    assertThat(Signing.sign(always, first, later).data().get("tls.key"))
        .isNotEqualTo(first.get("tls.key"));

    CertificateSpec keeping =
        specWithKey(new PrivateKeySpec(null, null, PrivateKeySpec.RotationPolicy.Never));
    Decision.Issue never = (Decision.Issue) decide(keeping, ISSUER, held, later);
    Signing.Signed again = Signing.sign(never, first, later);
    assertThat(again.data().get("tls.key")).isEqualTo(first.get("tls.key"));
    assertThat(again.verdict().reason()).isEqualTo(SecretVerdict.Reason.READY);
  }

  @Test
  void shouldNotSignWithAnAuthorityThatHasEnded() {
    Decision.Issue issue = (Decision.Issue) decide(spec(IDENTITY), ISSUER, HeldSecret.none(), NOW);
    Assertions.assertThatThrownBy(() -> Signing.sign(issue, null, NOW.plus(Duration.ofDays(400))))
        .isInstanceOf(PkiException.class);
  }

  private static Signing.Signed signed() {
    Decision.Issue issue = (Decision.Issue) decide(spec(IDENTITY), ISSUER, HeldSecret.none(), NOW);
    return Signing.sign(issue, null, NOW);
  }

  private static Decision decide(
      CertificateSpec spec, IssuerState issuer, HeldSecret held, Instant now) {
    Requester requester = new Requester("shop", Set.of("web"), Set.of("web"));
    return DECISIONS.decide(new Observation(spec, "uid", issuer, requester, held, now));
  }

  private static HeldSecret held(HeldSecret.Holder holder, Map<String, byte[]> data) {
    return new HeldSecret(holder, "somebody", data);
  }

  private static CertificateSpec spec(String uri) {
    return spec(uri, "24h", null, null);
  }

  private static CertificateSpec spec(
      String uri, String duration, String renewBefore, SecretTemplate template) {
    return new CertificateSpec(
        "web-tls",
        new IssuerRef("postern", IssuerRef.Kind.ClusterIssuer),
        null,
        List.of(),
        List.of(),
        List.of(uri),
        duration,
        renewBefore,
        null,
        null,
        List.of(),
        null,
        template);
  }

  private static CertificateSpec specWithKey(PrivateKeySpec key) {
    return new CertificateSpec(
        "web-tls",
        new IssuerRef("postern", IssuerRef.Kind.ClusterIssuer),
        null,
        List.of(),
        List.of(),
        List.of(IDENTITY),
        "24h",
        null,
        null,
        key,
        List.of(),
        null,
        null);
  }
}
