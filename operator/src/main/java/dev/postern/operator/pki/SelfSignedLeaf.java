package dev.postern.operator.pki;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;

/** What an issuer of kind selfSigned gives: a leaf signed by its own key, CA:FALSE. */
public final class SelfSignedLeaf {
  private SelfSignedLeaf() {}

  /**
   * Signs the leaf; its anchor is the leaf itself.
   *
   * @param pair the key of the request with its private half
   */
  public static IssuedCertificate issue(LeafRequest request, KeyPair pair, Instant now) {
    assert request.publicKey().equals(pair.getPublic());
    X500Name subject = subject(request.names().commonName());
    CertificateSigner signer = new CertificateSigner(subject, pair.getPublic(), pair.getPrivate());
    Instant notBefore = CertificateSigner.backdated(now);
    Instant notAfter = notBefore.plus(request.lifetime());
    X509Certificate leaf = signer.leaf(request, subject, notBefore, notAfter);
    return new IssuedCertificate(List.of(leaf), leaf);
  }

  /** An issuer's name must not be empty (RFC 5280 4.1.2.4), and here it is the subject's too. */
  private static X500Name subject(String commonName) {
    return commonName.isEmpty()
        ? new X500NameBuilder().addRDN(BCStyle.O, "Postern self-signed").build()
        : CertificateSigner.name(commonName);
  }
}
