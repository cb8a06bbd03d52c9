package dev.postern.operator.pki;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * A line of ClusterIssuer.spec.allow: who may ask for which foreign names.
 *
 * @param namespaces names of namespaces; `*` alone stands for every one
 * @param dnsNames `*` is one whole label; it also grants that wildcard name
 * @param uris SPIFFE IDs, where `*` is one whole path segment, never the trust domain; other URIs
 *     letter by letter
 * @param ipAddresses addresses or blocks ("10.0.0.0/8")
 */
public record AllowEntry(
    List<String> namespaces, List<String> dnsNames, List<String> uris, List<String> ipAddresses) {

  public AllowEntry {
    namespaces = copy(namespaces);
    dnsNames = copy(dnsNames);
    uris = copy(uris);
    ipAddresses = copy(ipAddresses);
  }

  boolean speaksFor(String namespace) {
    return namespaces.contains("*") || namespaces.contains(namespace);
  }

  boolean allows(DnsName name) {
    return dnsNames.stream()
        .map(pattern -> DnsName.withoutTrailingDot(pattern).toLowerCase(Locale.ROOT))
        .anyMatch(pattern -> name.matches(List.of(pattern.split("\\.", -1))));
  }

  boolean allows(InetAddress address) {
    return ipAddresses.stream().anyMatch(pattern -> IpLiteral.matches(address, pattern));
  }

  boolean allows(SpiffeId id) {
    return uris.stream()
        .filter(pattern -> pattern.startsWith(SpiffeId.SCHEME))
        .map(pattern -> pattern.substring(SpiffeId.SCHEME.length()))
        .anyMatch(pattern -> id.matches(List.of(pattern.split("/", -1))));
  }

  boolean allowsUri(String uri) {
    return uris.contains(uri);
  }

  private static List<String> copy(List<String> names) {
    return names == null ? List.of() : List.copyOf(names);
  }
}
