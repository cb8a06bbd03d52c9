package dev.postern.operator.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.operator.pki.PemCertificates;
import dev.postern.operator.pki.PkiException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuthorityStepTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final Instant ROTATION = NOW.plus(Duration.ofDays(250));

  private final WebhookAuthorities fresh = WebhookAuthorities.first(AuthorityStep.create(NOW));
  private final WebhookAuthorities staged = AuthorityStep.STAGE_NEXT.apply(fresh, ROTATION);

  @Test
  void shouldKeepTheCaWhenItIsYoung() {
    assertThat(AuthorityStep.decide(fresh, NOW)).isEqualTo(AuthorityStep.KEEP);
    assertThat(AuthorityStep.decide(fresh, NOW.plus(Duration.ofDays(220))))
        .isEqualTo(AuthorityStep.KEEP);
  }

  @Test
  void shouldStageASuccessorWhenTwoThirdsOfTheLifeAreOver() {
    assertThat(AuthorityStep.decide(fresh, ROTATION)).isEqualTo(AuthorityStep.STAGE_NEXT);
  }

  @Test
  void shouldTrustTheSuccessorBeforeItSigns() {
    assertThat(staged.current()).isSameAs(fresh.current());
    assertThat(PemCertificates.readAnchors("bundle", staged.bundle()))
        .containsExactly(fresh.current().certificate(), staged.next().orElseThrow().certificate());
  }

  @Test
  void shouldPromoteTheSuccessorOnlyWhenItHasBeenTrustedForAnHour() {
    Instant trusted =
        staged.next().orElseThrow().certificate().getNotBefore().toInstant().plusSeconds(3600);

    assertThat(AuthorityStep.decide(staged, trusted.minusSeconds(1))).isEqualTo(AuthorityStep.KEEP);
    assertThat(AuthorityStep.decide(staged, trusted)).isEqualTo(AuthorityStep.PROMOTE_NEXT);
  }

  @Test
  void shouldTrustThePredecessorUntilItEnds() {
    WebhookAuthorities promoted =
        AuthorityStep.PROMOTE_NEXT.apply(staged, ROTATION.plusSeconds(3600));
    Instant end = fresh.current().certificate().getNotAfter().toInstant();

    assertThat(PemCertificates.readAnchors("bundle", promoted.bundle()))
        .containsExactly(promoted.current().certificate(), fresh.current().certificate());
    assertThat(AuthorityStep.decide(promoted, end.minusSeconds(1))).isEqualTo(AuthorityStep.KEEP);
    assertThat(AuthorityStep.decide(promoted, end)).isEqualTo(AuthorityStep.DROP_PREVIOUS);
    assertThat(AuthorityStep.DROP_PREVIOUS.apply(promoted, end).previous()).isEmpty();
  }

  @Test
  void shouldComeBackFromItsSecretWhenInTheMiddleOfARotation() {
    WebhookAuthorities promoted =
        AuthorityStep.PROMOTE_NEXT.apply(staged, ROTATION.plusSeconds(3600));
    for (WebhookAuthorities each : new WebhookAuthorities[] {fresh, staged, promoted}) {
      WebhookAuthorities read = WebhookAuthorities.read("Secret x", each.write(), ROTATION);

      assertThat(read.bundle()).isEqualTo(each.bundle());
      assertThat(read.current().privateKeyPem()).isEqualTo(each.current().privateKeyPem());
      assertThat(read.next().isPresent()).isEqualTo(each.next().isPresent());
    }
  }

  @Test
  void shouldDropASuccessorWhenItCannotBeRead() {
    Map<String, byte[]> data = staged.write();
    data.put("next.key", fresh.current().privateKeyPem());

    assertThat(WebhookAuthorities.read("Secret x", data, ROTATION).next()).isEmpty();
  }

  @Test
  void shouldRefuseTheSecretWhenTheSigningCaCannotBeRead() {
    Map<String, byte[]> data = staged.write();
    data.put("tls.key", new byte[] {1});

    assertThatThrownBy(() -> WebhookAuthorities.read("Secret x", data, ROTATION))
        .isInstanceOf(PkiException.class)
        .hasMessageStartingWith("Secret x tls.key");
  }
}
