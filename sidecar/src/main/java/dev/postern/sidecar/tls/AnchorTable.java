package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.X509;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Finds the anchor that a verified chain ends in, and so who the peer may be. */
final class AnchorTable {

  private static final int SUBJECT_ALT_URI = 6;
  private static final int SUBJECT_ALT_DNS = 2;

  private final Map<ByteBuffer, TrustAnchor> anchors = new HashMap<>();
  private final CertificateFactory factory;

  AnchorTable(List<TrustAnchor> trusted) throws CertificateException {
    factory = CertificateFactory.getInstance("X.509");
    for (TrustAnchor anchor : trusted) {
      anchors.put(ByteBuffer.wrap(anchor.certificate().getEncoded()), anchor);
    }
  }

  /**
   * Reads the identity out of the chain that OpenSSL verified.
   *
   * @return {@link PeerIdentity#ANONYMOUS} when the peer showed no certificate
   * @throws CertificateException when a name in the leaf cannot be parsed
   */
  PeerIdentity identify(long ssl) throws CertificateException {
    long chain = LibSsl.get0VerifiedChain(ssl);
    int length = chain == 0 ? 0 : LibCrypto.skNum(chain);
    if (length <= 0) {
      return PeerIdentity.ANONYMOUS;
    }
    X509Certificate leaf = certificate(chain, 0);
    TrustAnchor anchor = anchorOf(chain, length - 1);
    long notAfter = expiry(leaf);
    for (int i = 1; i < length; i++) {
      notAfter = Math.min(notAfter, expiry(certificate(chain, i)));
    }
    return new PeerIdentity(
        names(leaf, SUBJECT_ALT_URI),
        names(leaf, SUBJECT_ALT_DNS),
        leaf.getSubjectX500Principal().getName(),
        leaf.getIssuerX500Principal().getName(),
        leaf.getSerialNumber().toString(16),
        notAfter,
        anchor.scope().text());
  }

  private TrustAnchor anchorOf(long chain, int last) throws CertificateException {
    TrustAnchor anchor = anchors.get(ByteBuffer.wrap(X509.encode(LibCrypto.skValue(chain, last))));
    if (anchor == null) {
      throw new CertificateException("the chain ends in a certificate that is no anchor");
    }
    return anchor;
  }

  private X509Certificate certificate(long chain, int index) throws CertificateException {
    byte[] der = X509.encode(LibCrypto.skValue(chain, index));
    return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
  }

  private static long expiry(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant().getEpochSecond();
  }

  private static List<String> names(X509Certificate leaf, int kind) throws CertificateException {
    Collection<List<?>> all = leaf.getSubjectAlternativeNames();
    return all == null
        ? List.of()
        : all.stream()
            .filter(name -> Objects.equals(name.get(0), kind))
            .map(name -> (String) name.get(1))
            .toList();
  }
}
