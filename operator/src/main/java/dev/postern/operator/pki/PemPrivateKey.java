package dev.postern.operator.pki;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** One unencrypted private key as PEM: PKCS#8 is written; PKCS#8, PKCS#1 and SEC 1 are read. */
public final class PemPrivateKey {
  private PemPrivateKey() {}

  /** Writes PKCS#8; the caller owns (and wipes) the bytes. */
  public static byte[] write(PrivateKey key) {
    byte[] der = key.getEncoded();
    try {
      return PemBlock.write("PRIVATE KEY", der);
    } finally {
      Arrays.fill(der, (byte) 0);
    }
  }

  /**
   * Reads exactly one key.
   *
   * @param source what the bytes are ("Secret shop/ca tls.key"), for messages
   * @throws PkiException for a second block, an encrypted key, or anything that is not a key
   */
  public static PrivateKey read(String source, byte[] pem) {
    List<PemBlock> blocks = PemBlock.readAll(source, pem);
    try {
      if (blocks.size() > 1) {
        throw new PkiException(
            source
                + ": a second PEM block at line "
                + blocks.get(1).line()
                + "; expected one private key and nothing else");
      }
      return convert(source, blocks.get(0));
    } finally {
      blocks.forEach(PemBlock::wipe);
    }
  }

  /** True when the two halves belong together: what one signs the other verifies. */
  public static boolean matches(PrivateKey key, PublicKey publicKey) {
    byte[] probe = {'p', 'o', 's', 't', 'e', 'r', 'n'};
    try {
      String algorithm = SignatureAlgorithm.of(publicKey);
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(probe);
      byte[] signature = signer.sign();
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(publicKey);
      verifier.update(probe);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // another algorithm or curve
    }
  }

  private static PrivateKey convert(String source, PemBlock block) {
    try {
      return new JcaPEMKeyConverter().getPrivateKey(pkcs8(source, block));
    } catch (IOException | RuntimeException e) {
      if (e instanceof PkiException pki) {
        throw pki;
      }
      // Without the cause: a parser's message may quote what it read.
      throw new PkiException(source + ": not a private key that can be read");
    }
  }

  private static PrivateKeyInfo pkcs8(String source, PemBlock block) throws IOException {
    return switch (block.label()) {
      case "PRIVATE KEY" -> PrivateKeyInfo.getInstance(block.der());
      case "RSA PRIVATE KEY" ->
          new PrivateKeyInfo(
              new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
              RSAPrivateKey.getInstance(block.der()));
      case "EC PRIVATE KEY" -> {
        ECPrivateKey key = ECPrivateKey.getInstance(block.der());
        yield new PrivateKeyInfo(
            new AlgorithmIdentifier(
                X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject().toASN1Primitive()),
            key);
      }
      case "ENCRYPTED PRIVATE KEY" ->
          throw new PkiException(
              source + ": the key is encrypted; write it with openssl pkcs8 -topk8 -nocrypt");
      default -> throw new PkiException(source + ": expected PRIVATE KEY, found " + block.label());
    };
  }
}
