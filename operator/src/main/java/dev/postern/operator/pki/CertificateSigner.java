package dev.postern.operator.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Puts an X.509 certificate together and signs it (RFC 5280, SPIFFE X509-SVID).
 *
 * @param subject the issuer's name as it stands in its certificate
 * @param publicKey the issuer's key
 * @param key its private half
 */
record CertificateSigner(X500Name subject, PublicKey publicKey, PrivateKey key) {
  /** For clocks that are a little behind. */
  static final Duration BACKDATE = Duration.ofMinutes(1);

  private static final int SERIAL_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  static CertificateSigner of(X509Certificate issuer, PrivateKey key) {
    try {
      X500Name subject = new JcaX509CertificateHolder(issuer).getSubject();
      return new CertificateSigner(subject, issuer.getPublicKey(), key);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("a parsed certificate has an encoding", e);
    }
  }

  static X500Name name(String commonName) {
    X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
    if (!commonName.isEmpty()) {
      builder.addRDN(BCStyle.CN, commonName);
    }
    return builder.build();
  }

  static Instant backdated(Instant now) {
    return now.minus(BACKDATE).truncatedTo(ChronoUnit.SECONDS);
  }

  X509Certificate root(int pathLength, Instant notBefore, Instant notAfter) {
    X509v3CertificateBuilder builder = builder(subject, publicKey, notBefore, notAfter);
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(pathLength));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier, false, ids().createSubjectKeyIdentifier(publicKey));
    } catch (IOException e) {
      throw new AssertionError("extensions made here have an encoding", e);
    }
    return sign(builder);
  }

  X509Certificate leaf(LeafRequest request, Instant notBefore, Instant notAfter) {
    return leaf(request, name(request.names().commonName()), notBefore, notAfter);
  }

  X509Certificate leaf(
      LeafRequest request, X500Name leafSubject, Instant notBefore, Instant notAfter) {
    X509v3CertificateBuilder builder =
        builder(leafSubject, request.publicKey(), notBefore, notAfter);
    try {
      addLeafExtensions(builder, request, leafSubject);
    } catch (IOException e) {
      throw new AssertionError("extensions made here have an encoding", e);
    }
    return sign(builder);
  }

  private void addLeafExtensions(
      X509v3CertificateBuilder builder, LeafRequest request, X500Name leafSubject)
      throws IOException {
    Set<Usage> usages = Usage.fitting(request.usages(), request.publicKey());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, keyUsage(usages));
    builder.addExtension(Extension.extendedKeyUsage, false, extendedKeyUsage(usages));
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        ids().createSubjectKeyIdentifier(request.publicKey()));
    builder.addExtension(
        Extension.authorityKeyIdentifier, false, ids().createAuthorityKeyIdentifier(publicKey));
    if (request.names().hasAlternativeNames()) {
      boolean critical = leafSubject.getRDNs().length == 0; // RFC 5280 4.2.1.6
      builder.addExtension(
          Extension.subjectAlternativeName, critical, alternativeNames(request.names()));
    }
  }

  private X509v3CertificateBuilder builder(
      X500Name of, PublicKey ofKey, Instant notBefore, Instant notAfter) {
    return new X509v3CertificateBuilder(
        subject,
        serial(),
        Date.from(notBefore),
        Date.from(notAfter),
        of,
        SubjectPublicKeyInfo.getInstance(ofKey.getEncoded()));
  }

  /** Positive and at most 20 bytes long (RFC 5280 4.1.2.2), never zero. */
  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS);
  }

  private static KeyUsage keyUsage(Set<Usage> usages) {
    int bits = KeyUsage.digitalSignature;
    if (usages.contains(Usage.KEY_ENCIPHERMENT)) {
      bits |= KeyUsage.keyEncipherment;
    }
    return new KeyUsage(bits);
  }

  private static ExtendedKeyUsage extendedKeyUsage(Set<Usage> usages) {
    List<KeyPurposeId> purposes = new ArrayList<>();
    for (Usage usage : EnumSet.copyOf(usages)) {
      switch (usage) {
        case SERVER_AUTH -> purposes.add(KeyPurposeId.id_kp_serverAuth);
        case CLIENT_AUTH -> purposes.add(KeyPurposeId.id_kp_clientAuth);
        case DIGITAL_SIGNATURE, KEY_ENCIPHERMENT -> {}
      }
    }
    return new ExtendedKeyUsage(purposes.toArray(KeyPurposeId[]::new));
  }

  private static GeneralNames alternativeNames(CertificateNames names) {
    List<GeneralName> all = new ArrayList<>();
    names.dnsNames().forEach(dns -> all.add(new GeneralName(GeneralName.dNSName, dns)));
    names.ipAddresses().forEach(ip -> all.add(new GeneralName(GeneralName.iPAddress, ip)));
    names
        .uris()
        .forEach(uri -> all.add(new GeneralName(GeneralName.uniformResourceIdentifier, uri)));
    return new GeneralNames(all.toArray(GeneralName[]::new));
  }

  private X509Certificate sign(X509v3CertificateBuilder builder) {
    try {
      X509CertificateHolder holder =
          builder.build(new JcaContentSignerBuilder(SignatureAlgorithm.of(publicKey)).build(key));
      return new JcaX509CertificateConverter().getCertificate(holder);
    } catch (OperatorCreationException | GeneralSecurityException e) {
      throw new PkiException("signing failed with the " + key.getAlgorithm() + " key", e);
    }
  }

  private static JcaX509ExtensionUtils ids() {
    try {
      return new JcaX509ExtensionUtils();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("the JDK has SHA-1 for key identifiers", e);
    }
  }
}
