package dev.postern.operator.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateConditionsTest {

  private static final Instant END = Instant.parse("2026-12-02T12:00:00Z");
  private static final Decision WAIT = new Decision.Wait("IssuerNotReady", "no CA");

  @Test
  void shouldStayReadyWhileTheIssuerFailsUntilTheCertificateEnds() {
    assertThat(ready(END.minusSeconds(1), true).getStatus()).isEqualTo("True");
    assertThat(ready(END, true).getStatus()).isEqualTo("False");
    assertThat(ready(END.minusSeconds(1), false).getStatus()).isEqualTo("False");
  }

  @Test
  void shouldSayThatItWaits() {
    CertificateStatus status = conditions(END.minusSeconds(1)).waiting(WAIT, true);
    Condition issuing = status.conditions().get(1);
    assertThat(issuing.getType()).isEqualTo("Issuing");
    assertThat(issuing.getStatus()).isEqualTo("True");
    assertThat(issuing.getReason()).isEqualTo("IssuerNotReady");
    assertThat(status.revision()).isEqualTo(3);
  }

  private static Condition ready(Instant now, boolean stillHeld) {
    return conditions(now).waiting(WAIT, stillHeld).conditions().getFirst();
  }

  private static CertificateConditions conditions(Instant now) {
    Condition ready =
        new ConditionBuilder()
            .withType("Ready")
            .withStatus("True")
            .withReason("Ready")
            .withLastTransitionTime("2026-12-01T12:00:00Z")
            .build();
    Certificate certificate = new Certificate();
    certificate.setStatus(
        new CertificateStatus(List.of(ready), null, END.toString(), null, "1", 3L));
    return CertificateConditions.of(certificate, now);
  }
}
