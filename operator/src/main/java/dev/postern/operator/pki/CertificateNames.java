package dev.postern.operator.pki;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;

/**
 * The names in a certificate. Each list is sorted and free of duplicates, so that two are equal
 * when they say the same.
 *
 * @param commonName the subject's CN, empty for none
 * @param dnsNames lower case, without a trailing dot
 * @param ipAddresses as {@link InetAddress#getHostAddress} writes them
 * @param uris as they stand in the certificate
 */
public record CertificateNames(
    String commonName, List<String> dnsNames, List<String> ipAddresses, List<String> uris) {

  public CertificateNames {
    commonName = commonName == null ? "" : commonName;
    dnsNames = sorted(dnsNames);
    ipAddresses = sorted(ipAddresses);
    uris = sorted(uris);
  }

  /** DNS names only. */
  public static CertificateNames ofDns(Collection<String> dnsNames) {
    return new CertificateNames("", List.copyOf(dnsNames), List.of(), List.of());
  }

  /** The names that a certificate has. */
  public static CertificateNames of(X509Certificate certificate) {
    try {
      JcaX509CertificateHolder holder = new JcaX509CertificateHolder(certificate);
      GeneralNames names =
          GeneralNames.fromExtensions(holder.getExtensions(), Extension.subjectAlternativeName);
      GeneralName[] all = names == null ? new GeneralName[0] : names.getNames();
      return new CertificateNames(
          commonName(holder.getSubject()),
          texts(all, GeneralName.dNSName),
          texts(all, GeneralName.iPAddress),
          texts(all, GeneralName.uniformResourceIdentifier));
    } catch (CertificateEncodingException e) {
      throw new AssertionError("a parsed certificate has an encoding", e);
    }
  }

  /** True when there is no name at all. */
  public boolean isEmpty() {
    return commonName.isEmpty() && !hasAlternativeNames();
  }

  boolean hasAlternativeNames() {
    return !(dnsNames.isEmpty() && ipAddresses.isEmpty() && uris.isEmpty());
  }

  private static String commonName(X500Name subject) {
    RDN[] rdns = subject.getRDNs(BCStyle.CN);
    return rdns.length == 0 ? "" : IETFUtils.valueToString(rdns[0].getFirst().getValue());
  }

  private static List<String> texts(GeneralName[] names, int tag) {
    return List.of(names).stream()
        .filter(name -> name.getTagNo() == tag)
        .map(CertificateNames::text)
        .toList();
  }

  private static String text(GeneralName name) {
    if (name.getTagNo() != GeneralName.iPAddress) {
      return name.getName().toString();
    }
    byte[] address = ASN1OctetString.getInstance(name.getName()).getOctets();
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException e) {
      return "an IP address of " + address.length + " bytes";
    }
  }

  private static List<String> sorted(List<String> names) {
    return names == null ? List.of() : List.copyOf(new TreeSet<>(names));
  }
}
