package dev.postern.sidecar.tls;

import java.util.Locale;

/**
 * What a root may speak for; its text is {@link PeerIdentity#scope()}.
 *
 * @param kind a SPIFFE trust domain or a DNS suffix
 * @param name lower case, as "cluster.local"
 */
public record TrustScope(Kind kind, String name) {

  /** The two kinds, with the text that stands before the name. */
  public enum Kind {
    TRUST_DOMAIN("spiffe://"),
    DNS("dns:");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }
  }

  public TrustScope {
    name = name.toLowerCase(Locale.ROOT);
  }

  public static TrustScope trustDomain(String name) {
    return new TrustScope(Kind.TRUST_DOMAIN, name);
  }

  public static TrustScope dns(String name) {
    return new TrustScope(Kind.DNS, name);
  }

  /** "spiffe://cluster.local" or "dns:example.org". */
  public String text() {
    return kind.prefix + name;
  }

  /** The scope that a text names; a trust domain and a DNS suffix of one name stay apart. */
  public static TrustScope parse(String text) {
    for (Kind kind : Kind.values()) {
      if (text.startsWith(kind.prefix)) {
        return new TrustScope(kind, text.substring(kind.prefix.length()));
      }
    }
    throw new IllegalArgumentException("no scope: " + text);
  }
}
