package dev.postern.operator.pki;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Certificates as PEM, read strictly and written in one form. */
public final class PemCertificates {
  private PemCertificates() {}

  /**
   * Reads a chain: each certificate is issued by the next one.
   *
   * @param source what the bytes are ("Secret shop/ca tls.crt"), for messages
   * @throws PkiException for anything but CERTIFICATE blocks in this order
   */
  public static List<X509Certificate> readChain(String source, byte[] pem) {
    List<X509Certificate> chain = readAll(source, pem);
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (!isIssuedBy(chain.get(i), chain.get(i + 1))) {
        throw new PkiException(
            source
                + ": certificate "
                + (i + 2)
                + " did not issue certificate "
                + (i + 1)
                + "; expected order: the certificate itself, then each issuer");
      }
    }
    return chain;
  }

  /**
   * Reads roots of trust, in any order. A private key among them is refused: a trust source is read
   * by many.
   *
   * @throws PkiException for anything but CERTIFICATE blocks, or a certificate without CA:TRUE
   */
  public static List<X509Certificate> readAnchors(String source, byte[] pem) {
    List<X509Certificate> anchors = readAll(source, pem);
    for (X509Certificate anchor : anchors) {
      if (anchor.getBasicConstraints() < 0) {
        throw new PkiException(
            source + ": " + anchor.getSubjectX500Principal() + " is not a CA (CA:TRUE is missing)");
      }
    }
    return anchors;
  }

  /** Writes the certificates in the given order, LF line ends. */
  public static byte[] write(Collection<X509Certificate> certificates) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (X509Certificate certificate : certificates) {
      out.writeBytes(PemBlock.write(PemBlock.CERTIFICATE, encoded(certificate)));
    }
    return out.toByteArray();
  }

  /** True when the issuer's name and key are those that signed the certificate. */
  public static boolean isIssuedBy(X509Certificate certificate, X509Certificate issuer) {
    if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  static boolean isSelfSigned(X509Certificate certificate) {
    return isIssuedBy(certificate, certificate);
  }

  private static List<X509Certificate> readAll(String source, byte[] pem) {
    List<PemBlock> blocks = PemBlock.readAll(source, pem);
    try {
      return blocks.stream().map(block -> certificate(source, block)).toList();
    } finally {
      blocks.forEach(PemBlock::wipe);
    }
  }

  private static X509Certificate certificate(String source, PemBlock block) {
    String at = source + " line " + block.line() + ": ";
    if (block.label().endsWith("PRIVATE KEY")) {
      throw new PkiException(at + "a private key among certificates; remove it");
    }
    if (!block.label().equals(PemBlock.CERTIFICATE)) {
      throw new PkiException(at + "expected CERTIFICATE, found " + block.label());
    }
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(block.der()));
      if (!Arrays.equals(certificate.getEncoded(), block.der())) {
        throw new PkiException(at + "bytes after the certificate");
      }
      return certificate;
    } catch (CertificateException e) {
      throw new PkiException(at + "not an X.509 certificate", e);
    }
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new AssertionError("a parsed certificate has an encoding", e);
    }
  }
}
