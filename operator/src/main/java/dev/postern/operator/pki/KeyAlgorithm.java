package dev.postern.operator.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of key that are made for certificates; names and sizes are cert-manager's. */
public enum KeyAlgorithm {
  ECDSA_P256("ECDSA", 256, "EC", new ECGenParameterSpec("secp256r1")),
  ECDSA_P384("ECDSA", 384, "EC", new ECGenParameterSpec("secp384r1")),
  RSA_2048("RSA", 2048, "RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4)),
  RSA_3072("RSA", 3072, "RSA", new RSAKeyGenParameterSpec(3072, RSAKeyGenParameterSpec.F4)),
  RSA_4096("RSA", 4096, "RSA", new RSAKeyGenParameterSpec(4096, RSAKeyGenParameterSpec.F4)),
  ED25519("Ed25519", 0, "Ed25519", NamedParameterSpec.ED25519);

  private final String field;
  private final int sizeBits;
  private final String jcaName;

  @SuppressWarnings("ImmutableEnumChecker") // the JDK's specs have no setters
  private final AlgorithmParameterSpec spec;

  KeyAlgorithm(String field, int sizeBits, String jcaName, AlgorithmParameterSpec spec) {
    this.field = field;
    this.sizeBits = sizeBits;
    this.jcaName = jcaName;
    this.spec = spec;
  }

  /**
   * The one that a spec names.
   *
   * @param algorithm ECDSA, RSA or Ed25519; null or empty: ECDSA
   * @param sizeBits null or 0: 256 for ECDSA, 2048 for RSA; not looked at for Ed25519
   * @throws PkiException naming what is possible
   */
  public static KeyAlgorithm of(String algorithm, Integer sizeBits) {
    String wanted = algorithm == null || algorithm.isEmpty() ? "ECDSA" : algorithm;
    int size = sizeBits == null ? 0 : sizeBits;
    return Arrays.stream(values())
        .filter(it -> it.field.equals(wanted))
        .filter(it -> size == 0 || it == ED25519 || it.sizeBits == size)
        .findFirst()
        .orElseThrow(
            () ->
                new PkiException(
                    "privateKey: "
                        + wanted
                        + " with size "
                        + size
                        + " is not possible; use ECDSA 256 or 384, RSA 2048, 3072 or 4096, or"
                        + " Ed25519"));
  }

  /** The one that a key is of, or empty for another kind or size. */
  public static Optional<KeyAlgorithm> of(PublicKey key) {
    return switch (key) {
      case ECPublicKey ec -> find("ECDSA", ec.getParams().getCurve().getField().getFieldSize());
      case RSAPublicKey rsa -> find("RSA", rsa.getModulus().bitLength());
      case EdECPublicKey ed -> find(ed.getParams().getName(), 0);
      default -> Optional.empty();
    };
  }

  /** A fresh key pair. */
  public KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(jcaName);
      generator.initialize(spec);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("the JDK makes " + this + " keys", e);
    }
  }

  /** As in a Certificate's spec, "ECDSA 256". */
  public String display() {
    return sizeBits == 0 ? field : field + " " + sizeBits;
  }

  private static Optional<KeyAlgorithm> find(String field, int sizeBits) {
    return Arrays.stream(values())
        .filter(it -> it.field.equals(field) && it.sizeBits == sizeBits)
        .findFirst();
  }
}
