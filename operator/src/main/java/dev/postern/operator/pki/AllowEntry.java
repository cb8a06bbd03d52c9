package dev.postern.operator.pki;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * A line of ClusterIssuer.spec.allow: who may ask for which foreign names.
 *
 * @param namespaces names of namespaces; `*` alone stands for every one
 * @param names DNS names (`*` is one whole label; it also grants that wildcard name), IP addresses
 *     or blocks, SPIFFE IDs (`*` is one whole path segment, never the trust domain), other URIs
 *     letter by letter
 */
public record AllowEntry(List<String> namespaces, List<String> names) {

  public AllowEntry {
    namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
    names = names == null ? List.of() : List.copyOf(names);
  }

  boolean speaksFor(String namespace) {
    return namespaces.contains("*") || namespaces.contains(namespace);
  }

  boolean allows(DnsName name) {
    return names.stream()
        .map(pattern -> DnsName.withoutTrailingDot(pattern).toLowerCase(Locale.ROOT))
        .anyMatch(pattern -> name.matches(List.of(pattern.split("\\.", -1))));
  }

  boolean allows(InetAddress address) {
    return names.stream().anyMatch(pattern -> IpLiteral.matches(address, pattern));
  }

  boolean allows(SpiffeId id) {
    return names.stream()
        .filter(pattern -> pattern.startsWith(SpiffeId.SCHEME))
        .map(pattern -> pattern.substring(SpiffeId.SCHEME.length()))
        .anyMatch(pattern -> id.matches(List.of(pattern.split("/", -1))));
  }

  boolean allowsUri(String uri) {
    return names.contains(uri);
  }
}
