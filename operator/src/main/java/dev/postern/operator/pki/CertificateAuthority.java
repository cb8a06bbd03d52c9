package dev.postern.operator.pki;

import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/**
 * A CA's certificate, its chain and its key, checked when made; issues leaves, never CAs.
 *
 * <p>Thread-safe; holds the private key, so keep it no longer than needed.
 */
public final class CertificateAuthority {
  private static final int KEY_CERT_SIGN = 5; // bit of RFC 5280 4.2.1.3

  private final List<X509Certificate> chain;
  private final PrivateKey key;

  private CertificateAuthority(List<X509Certificate> chain, PrivateKey key) {
    this.chain = List.copyOf(chain);
    this.key = key;
  }

  /**
   * Reads a CA.
   *
   * @param source where it comes from ("Secret postern-system/postern-ca"), for messages
   * @param tlsCrt the CA's certificate, then its issuers; null or empty: missing
   * @param tlsKey its private key; null or empty: missing
   * @throws PkiException saying which field is wrong and why: missing, not PEM, wrong order, not a
   *     CA, expired, another key
   */
  public static CertificateAuthority fromPem(
      String source, byte[] tlsCrt, byte[] tlsKey, Instant now) {
    String crtSource = source + " tls.crt";
    String keySource = source + " tls.key";
    List<X509Certificate> chain = PemCertificates.readChain(crtSource, present(crtSource, tlsCrt));
    for (int i = 0; i < chain.size(); i++) {
      checkAuthority(crtSource, chain.get(i), i, now);
    }
    PrivateKey key = PemPrivateKey.read(keySource, present(keySource, tlsKey));
    if (!PemPrivateKey.matches(key, chain.get(0).getPublicKey())) {
      throw new PkiException(keySource + " does not belong to the certificate in tls.crt");
    }
    return new CertificateAuthority(chain, key);
  }

  /**
   * Makes a root that signs itself.
   *
   * @param pathLength how many CAs may stand between it and a leaf
   */
  public static CertificateAuthority selfSigned(
      String commonName, KeyAlgorithm algorithm, Duration lifetime, int pathLength, Instant now) {
    assert pathLength >= 0 && lifetime.isPositive();
    KeyPair pair = algorithm.generate();
    CertificateSigner signer =
        new CertificateSigner(
            CertificateSigner.name(commonName), pair.getPublic(), pair.getPrivate());
    Instant notBefore = CertificateSigner.backdated(now);
    X509Certificate root = signer.root(pathLength, notBefore, notBefore.plus(lifetime));
    return new CertificateAuthority(List.of(root), pair.getPrivate());
  }

  /**
   * Issues a leaf: CA:FALSE, the request's names and no other, valid from a minute ago, never
   * beyond this CA's or its issuers' own validity.
   *
   * @throws PkiException when the CA has ended
   */
  public IssuedCertificate issue(LeafRequest request, Instant now) {
    Instant notBefore = latest(CertificateSigner.backdated(now), certificate().getNotBefore());
    Instant notAfter = notBefore.plus(request.lifetime());
    for (X509Certificate authority : chain) {
      notAfter = earliest(notAfter, authority.getNotAfter());
    }
    if (!notAfter.isAfter(now)) {
      throw new PkiException(
          "the CA " + certificate().getSubjectX500Principal() + " ended at " + notAfter);
    }
    List<X509Certificate> issued = new ArrayList<>();
    issued.add(CertificateSigner.of(certificate(), key).leaf(request, notBefore, notAfter));
    issued.addAll(intermediates());
    return new IssuedCertificate(issued, anchor());
  }

  /** The certificate whose key signs. */
  public X509Certificate certificate() {
    return chain.get(0);
  }

  /** The topmost certificate of the chain: what peers trust. */
  public X509Certificate anchor() {
    return chain.get(chain.size() - 1);
  }

  /** What a leaf's tls.crt carries behind the leaf: the chain without a self-signed root. */
  List<X509Certificate> intermediates() {
    return chain.stream().filter(it -> !PemCertificates.isSelfSigned(it)).toList();
  }

  /** Content of tls.crt. */
  public byte[] certificatePem() {
    return PemCertificates.write(chain);
  }

  /** Content of tls.key, PKCS#8; the caller wipes it. */
  public byte[] privateKeyPem() {
    return PemPrivateKey.write(key);
  }

  private static void checkAuthority(
      String source, X509Certificate certificate, int casBelow, Instant now) {
    String at = source + ": " + certificate.getSubjectX500Principal();
    int pathLength = certificate.getBasicConstraints();
    if (pathLength < 0) {
      throw new PkiException(at + " is not a CA (CA:TRUE is missing)");
    }
    if (pathLength < casBelow) {
      throw new PkiException(at + " allows " + pathLength + " CAs below it, not " + casBelow);
    }
    boolean[] usage = certificate.getKeyUsage();
    if (usage == null || !usage[KEY_CERT_SIGN]) {
      throw new PkiException(at + " may not sign certificates (keyUsage keyCertSign is missing)");
    }
    if (!now.isBefore(certificate.getNotAfter().toInstant())) {
      throw new PkiException(at + " ended at " + certificate.getNotAfter().toInstant());
    }
    if (now.isBefore(certificate.getNotBefore().toInstant())) {
      throw new PkiException(at + " begins only at " + certificate.getNotBefore().toInstant());
    }
  }

  private static byte[] present(String source, byte[] content) {
    if (content == null || content.length == 0) {
      throw new PkiException(source + " is missing");
    }
    return content;
  }

  private static Instant latest(Instant a, Date b) {
    return a.isAfter(b.toInstant()) ? a : b.toInstant();
  }

  private static Instant earliest(Instant a, Date b) {
    return a.isBefore(b.toInstant()) ? a : b.toInstant();
  }
}
