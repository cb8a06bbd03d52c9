package dev.postern.sidecar.testing;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority for tests; keys are ECDSA P-256 unless a leaf asks for RSA. */
public final class TestPki {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final X509Certificate certificate;
  private final KeyPair keys;
  private final List<X509Certificate> intermediates;

  private TestPki(X509Certificate certificate, KeyPair keys, List<X509Certificate> intermediates) {
    this.certificate = certificate;
    this.keys = keys;
    this.intermediates = intermediates;
  }

  /** A new self-signed root. */
  public static TestPki root(String commonName) {
    KeyPair keys = ecKeys();
    X500Principal name = new X500Principal("CN=" + commonName);
    return new TestPki(sign(name, name, keys, keys, caProfile()), keys, List.of());
  }

  /** A certificate authority under this one; leaves that it issues carry it in their chain. */
  public TestPki intermediate(String commonName) {
    KeyPair sub = ecKeys();
    X500Principal name = new X500Principal("CN=" + commonName);
    X509Certificate signed =
        sign(name, certificate.getSubjectX500Principal(), sub, keys, caProfile());
    List<X509Certificate> chain = new ArrayList<>(List.of(signed));
    chain.addAll(intermediates);
    return new TestPki(signed, sub, List.copyOf(chain));
  }

  /** This authority's certificate. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** This authority's certificate as PEM. */
  public String pem() {
    return TestIdentity.pem("CERTIFICATE", encoded(certificate));
  }

  /** A trust/bundle.json with this root alone. */
  public String bundleJson(String trustDomain) {
    return "[{\"trustDomain\":\"%s\",\"pem\":\"%s\",\"crl\":\"\"}]"
        .formatted(trustDomain, pem().replace("\n", "\\n"));
  }

  /** Starts a leaf; without further calls it is valid for an hour, for client and server use. */
  public Leaf leaf() {
    return new Leaf();
  }

  /** A leaf with one SPIFFE URI. */
  public TestIdentity leaf(String spiffeUri) {
    return leaf().uri(spiffeUri).issue();
  }

  /** What a leaf is to contain. */
  public final class Leaf {
    private final List<GeneralName> names = new ArrayList<>();
    private Instant notBefore = Instant.now().minus(Duration.ofHours(2));
    private Instant notAfter = Instant.now().plus(Duration.ofHours(1));
    private List<KeyPurposeId> purposes =
        List.of(KeyPurposeId.id_kp_clientAuth, KeyPurposeId.id_kp_serverAuth);
    private boolean rsa;

    public Leaf uri(String uri) {
      names.add(new GeneralName(GeneralName.uniformResourceIdentifier, uri));
      return this;
    }

    public Leaf dns(String name) {
      names.add(new GeneralName(GeneralName.dNSName, name));
      return this;
    }

    public Leaf validity(Instant from, Instant until) {
      notBefore = from;
      notAfter = until;
      return this;
    }

    public Leaf expired() {
      return validity(
          Instant.now().minus(Duration.ofHours(2)), Instant.now().minus(Duration.ofHours(1)));
    }

    public Leaf serverOnly() {
      purposes = List.of(KeyPurposeId.id_kp_serverAuth);
      return this;
    }

    public Leaf rsa() {
      rsa = true;
      return this;
    }

    /** Signs it. */
    public TestIdentity issue() {
      KeyPair own = rsa ? keys("RSA", 2048) : ecKeys();
      X509Certificate signed =
          sign(
              new X500Principal("CN=leaf"),
              certificate.getSubjectX500Principal(),
              own,
              keys,
              this::profile);
      List<X509Certificate> chain = new ArrayList<>(List.of(signed));
      chain.addAll(intermediates);
      return new TestIdentity(List.copyOf(chain), own.getPrivate(), certificate);
    }

    private void profile(CertificateParts parts) throws CertIOException {
      parts.validity(notBefore, notAfter);
      parts.extension(Extension.basicConstraints, true, new BasicConstraints(false));
      parts.extension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      parts.extension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(purposes.toArray(KeyPurposeId[]::new)));
      if (!names.isEmpty()) {
        parts.extension(
            Extension.subjectAlternativeName,
            true,
            new GeneralNames(names.toArray(GeneralName[]::new)));
      }
    }
  }

  private static Profile caProfile() {
    return parts -> {
      parts.validity(
          Instant.now().minus(Duration.ofDays(1)), Instant.now().plus(Duration.ofDays(365)));
      parts.extension(Extension.basicConstraints, true, new BasicConstraints(true));
      parts.extension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    };
  }

  private static X509Certificate sign(
      X500Principal subject, X500Principal issuer, KeyPair own, KeyPair signer, Profile profile) {
    try {
      CertificateParts parts = new CertificateParts();
      profile.fill(parts);
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(64, RANDOM).setBit(64),
              Date.from(parts.notBefore),
              Date.from(parts.notAfter),
              subject,
              own.getPublic());
      JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
      parts.extension(
          Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(own.getPublic()));
      parts.extension(
          Extension.authorityKeyIdentifier,
          false,
          ids.createAuthorityKeyIdentifier(signer.getPublic()));
      for (CertificateParts.Ext e : parts.extensions) {
        builder.addExtension(e.id(), e.critical(), e.value());
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
    } catch (CertIOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair ecKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair keys(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @FunctionalInterface
  private interface Profile {
    void fill(CertificateParts parts) throws CertIOException;
  }
}
