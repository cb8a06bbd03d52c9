package dev.postern.operator.pki;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/**
 * What a certificate's Secret is worth now.
 *
 * @param reason of the condition
 * @param message for the condition: what was found, in one sentence
 * @param leaf the certificate that was found, when it could be read
 * @param renewAt when it is (or was) due for renewal, when it could be read
 */
public record SecretVerdict(
    Reason reason, String message, Optional<X509Certificate> leaf, Optional<Instant> renewAt) {

  /** Reasons as cert-manager names them, in the order in which they are looked for. */
  public enum Reason {
    DOES_NOT_EXIST("DoesNotExist", false),
    MISSING_DATA("MissingData", false),
    INVALID_KEY_PAIR("InvalidKeyPair", false),
    SECRET_MISMATCH("SecretMismatch", false),
    INCORRECT_ISSUER("IncorrectIssuer", false),
    EXPIRED("Expired", false),
    RENEWING("Renewing", true),
    READY("Ready", true);

    private final String condition;
    private final boolean usable;

    Reason(String condition, boolean usable) {
      this.condition = condition;
      this.usable = usable;
    }

    /** The reason as conditions show it. */
    public String condition() {
      return condition;
    }

    /** True while the Secret still serves: Ready=True. */
    public boolean usable() {
      return usable;
    }

    /** True when a new certificate has to be issued. */
    public boolean needsIssuance() {
      return this != READY;
    }
  }

  static SecretVerdict unread(Reason reason, String message) {
    return new SecretVerdict(reason, message, Optional.empty(), Optional.empty());
  }
}
