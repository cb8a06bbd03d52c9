package dev.postern.operator.issuer;

import dev.postern.crds.Conditions;
import dev.postern.operator.pki.AllowEntry;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.IssuerScope;
import dev.postern.operator.pki.PkiException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an issuer is able to do now. */
public sealed interface IssuerState {

  /** As the Ready condition says it. */
  String reason();

  /** One sentence for the Ready condition. */
  String message();

  /**
   * It signs.
   *
   * @param scope whom it speaks for
   * @param authority the CA; empty: each certificate signs itself
   * @param allow foreign names that it grants
   */
  record Ready(
      IssuerScope scope,
      Optional<CertificateAuthority> authority,
      List<AllowEntry> allow,
      String reason,
      String message)
      implements IssuerState {

    public Ready {
      allow = List.copyOf(allow);
    }
  }

  /** It does not. */
  record NotReady(String reason, String message) implements IssuerState {}

  /** There is no such issuer. */
  record Missing(String message) implements IssuerState {
    @Override
    public String reason() {
      return Conditions.ISSUER_NOT_FOUND;
    }
  }

  /** Every certificate signs itself. */
  static IssuerState selfSigned(IssuerScope scope, List<AllowEntry> allow) {
    return new Ready(
        scope, Optional.empty(), allow, Conditions.IS_READY, "certificates sign themselves");
  }

  /**
   * The CA in a Secret.
   *
   * @param source as messages name it, "Secret NAMESPACE/NAME"
   * @param data decoded; null when there is no such Secret
   */
  static IssuerState authority(
      IssuerScope scope,
      List<AllowEntry> allow,
      String source,
      Map<String, byte[]> data,
      Instant now) {
    if (data == null) {
      return new NotReady(Conditions.ERR_GET_KEY_PAIR, source + " does not exist");
    }
    try {
      CertificateAuthority ca =
          CertificateAuthority.fromPem(source, data.get("tls.crt"), data.get("tls.key"), now);
      // The serial number too: whoever watches the issuer sees that its CA is another one.
      String message =
          "signs as %s, serial number %x, until %s"
              .formatted(
                  ca.certificate().getSubjectX500Principal(),
                  ca.certificate().getSerialNumber(),
                  ca.certificate().getNotAfter().toInstant());
      return new Ready(scope, Optional.of(ca), allow, Conditions.KEY_PAIR_VERIFIED, message);
    } catch (PkiException e) {
      return new NotReady(Conditions.ERR_INVALID_KEY_PAIR, e.getMessage());
    }
  }
}
