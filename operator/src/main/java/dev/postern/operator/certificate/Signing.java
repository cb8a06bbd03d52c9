package dev.postern.operator.certificate;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.IssuedCertificate;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.LeafRequest;
import dev.postern.operator.pki.PemPrivateKey;
import dev.postern.operator.pki.PkiException;
import dev.postern.operator.pki.SecretVerdict;
import dev.postern.operator.pki.SelfSignedLeaf;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Turns an order into the data of a Secret. Pure but for the random numbers. */
final class Signing {

  /**
   * What was made.
   *
   * @param data tls.crt, tls.key, ca.crt
   * @param verdict on it, always usable
   */
  record Signed(Map<String, byte[]> data, SecretVerdict verdict) {}

  private Signing() {}

  /**
   * Signs.
   *
   * @param held data of the Secret that is there, null for none; its key is used again where the
   *     order says so and the key fits
   * @throws PkiException when the CA cannot, or when what it gave is not what was ordered: writing
   *     that would only make the next look order it again
   */
  static Signed sign(Decision.Issue decision, Map<String, byte[]> held, Instant now) {
    CertificateOrder order = decision.order();
    Optional<CertificateAuthority> authority = decision.issuer().authority();
    KeyPair pair =
        heldKey(order, decision.verdict(), held).orElseGet(() -> order.algorithm().generate());
    LeafRequest request =
        new LeafRequest(order.names(), pair.getPublic(), order.usages(), order.lifetime());
    IssuedCertificate issued =
        authority
            .map(ca -> ca.issue(request, now))
            .orElseGet(() -> SelfSignedLeaf.issue(request, pair, now));
    Map<String, byte[]> data = new HashMap<>();
    data.put("tls.crt", issued.chainPem());
    data.put("tls.key", PemPrivateKey.write(pair.getPrivate()));
    data.put("ca.crt", issued.anchorPem());
    SecretVerdict verdict = order.expectation(authority).check(data, now);
    if (verdict.reason() != SecretVerdict.Reason.READY) {
      throw new PkiException(
          "the issuer's certificate cannot be used ("
              + verdict.reason().condition()
              + "): "
              + verdict.message());
    }
    return new Signed(data, verdict);
  }

  private static Optional<KeyPair> heldKey(
      CertificateOrder order, SecretVerdict verdict, Map<String, byte[]> held) {
    if (!order.keepsKey() || held == null || verdict.leaf().isEmpty()) {
      return Optional.empty();
    }
    PublicKey publicKey = verdict.leaf().get().getPublicKey();
    return KeyAlgorithm.of(publicKey)
        .filter(order.algorithm()::equals)
        .map(_ -> new KeyPair(publicKey, PemPrivateKey.read("tls.key", held.get("tls.key"))));
  }
}
