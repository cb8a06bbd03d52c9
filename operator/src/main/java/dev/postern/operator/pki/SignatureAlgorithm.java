package dev.postern.operator.pki;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;

/** The signature algorithm that fits a signer's key, by its JCA name. */
final class SignatureAlgorithm {
  private SignatureAlgorithm() {}

  static String of(PublicKey key) {
    return switch (key) {
      case ECPublicKey ec -> ecdsa(ec.getParams().getCurve().getField().getFieldSize());
      case RSAPublicKey rsa -> rsa(rsa.getModulus().bitLength());
      case EdECPublicKey ed when ed.getParams().getName().equals("Ed25519") -> "Ed25519";
      default -> throw unsupported(key.getAlgorithm());
    };
  }

  /** The hash is as strong as the curve (RFC 5758, FIPS 186-5). */
  private static String ecdsa(int fieldBits) {
    return switch (fieldBits) {
      case 256 -> "SHA256withECDSA";
      case 384 -> "SHA384withECDSA";
      case 521 -> "SHA512withECDSA";
      default -> throw unsupported("an EC curve of " + fieldBits + " bits");
    };
  }

  private static String rsa(int modulusBits) {
    if (modulusBits < 2048) {
      throw unsupported("RSA with " + modulusBits + " bits (2048 or more are needed)");
    }
    return "SHA256withRSA";
  }

  private static PkiException unsupported(String what) {
    return new PkiException("key not supported: " + what + "; use ECDSA, RSA or Ed25519");
  }
}
