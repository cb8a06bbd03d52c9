package dev.postern.operator.certificate;

import dev.postern.crds.Conditions;
import dev.postern.operator.issuer.IssuerState;
import dev.postern.operator.pki.SecretVerdict;

/** What is to be done about a Certificate, and why. */
sealed interface Decision {

  /** For the condition, CamelCase. */
  String reason();

  /** For the condition, one sentence. */
  String message();

  /** The Secret is as it should be until it is renewed. */
  record Keep(SecretVerdict verdict) implements Decision {
    @Override
    public String reason() {
      return verdict.reason().condition();
    }

    @Override
    public String message() {
      return verdict.message();
    }
  }

  /**
   * A new certificate is due.
   *
   * @param order with granted names
   * @param verdict on what is there now: why
   */
  record Issue(CertificateOrder order, IssuerState.Ready issuer, SecretVerdict verdict)
      implements Decision {
    @Override
    public String reason() {
      return verdict.reason().condition();
    }

    @Override
    public String message() {
      return verdict.message();
    }
  }

  /** Never, as it stands: a refused name or an impossible field. */
  record Refuse(String reason, String message) implements Decision {}

  /** Not now: the issuer cannot sign. */
  record Wait(String reason, String message) implements Decision {}

  /** The Secret is somebody else's and stays untouched. */
  record Yield(String message) implements Decision {
    @Override
    public String reason() {
      return Conditions.CONFLICT;
    }
  }

  /** The Secret was made for a Certificate that is gone: it goes too, then a new one is made. */
  record Release(String message) implements Decision {
    @Override
    public String reason() {
      return SecretVerdict.Reason.DOES_NOT_EXIST.condition();
    }
  }
}
