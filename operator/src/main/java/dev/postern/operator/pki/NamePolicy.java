package dev.postern.operator.pki;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Decides in the signer who may have which name (security.md 1), whatever the webhook let through.
 *
 * <p>From a ClusterIssuer: at most one URI, {@code spiffe://TD/ns/<own>/sa/<existing account>}, and
 * DNS names of Services of the own namespace; anything else needs an {@link AllowEntry}. From an
 * Issuer: any well-formed name. CAs never.
 *
 * @param scope the issuer's
 * @param trustDomain of the SPIFFE IDs that are granted
 * @param clusterDomain of the DNS names that are granted
 * @param allow ClusterIssuer.spec.allow
 */
public record NamePolicy(
    IssuerScope scope, String trustDomain, String clusterDomain, List<AllowEntry> allow) {
  private static final int MOST_NAMES = 100;
  private static final int LONGEST_COMMON_NAME = 64; // RFC 5280 ub-common-name
  private static final int LONGEST_URI = 2048;

  public NamePolicy {
    trustDomain = trustDomain.toLowerCase(Locale.ROOT);
    clusterDomain = DnsName.withoutTrailingDot(clusterDomain).toLowerCase(Locale.ROOT);
    allow = allow == null ? List.of() : List.copyOf(allow);
  }

  /** The server names of a Service: svc, svc.ns, svc.ns.svc, svc.ns.svc.CLUSTERDOMAIN. */
  public static List<String> serviceNames(String service, String namespace, String clusterDomain) {
    String inNamespace = service + "." + namespace;
    return List.of(
        service, inNamespace, inNamespace + ".svc", inNamespace + ".svc." + clusterDomain);
  }

  /** The identity of a service account, spiffe://TD/ns/NS/sa/SA. */
  public static String identity(String trustDomain, String namespace, String serviceAccount) {
    return SpiffeId.of(trustDomain, namespace, serviceAccount).toString();
  }

  /**
   * Decides over all names of one request.
   *
   * @param requested as they stand in the spec
   * @param isCa the spec's isCA
   */
  public NameDecision decide(Requester requester, CertificateNames requested, boolean isCa) {
    try {
      return new NameDecision.Allowed(new Granting(this, requester).grant(requested, isCa));
    } catch (RefusedName e) {
      return e.denied();
    }
  }

  /** One run over one request. */
  private record Granting(NamePolicy policy, Requester requester) {

    CertificateNames grant(CertificateNames asked, boolean isCa) throws RefusedName {
      if (isCa) {
        throw new RefusedName("isCA", "no issuer of Postern makes a CA");
      }
      if (asked.isEmpty()) {
        throw new RefusedName("", "no name asked for; set dnsNames or uris");
      }
      if (asked.dnsNames().size() + asked.ipAddresses().size() > MOST_NAMES) {
        throw new RefusedName("dnsNames", "more than " + MOST_NAMES + " names");
      }
      List<String> dnsNames = dnsNames(asked.dnsNames());
      return new CertificateNames(
          commonName(asked.commonName(), dnsNames),
          dnsNames,
          ipAddresses(asked.ipAddresses()),
          uris(asked.uris()));
    }

    private List<String> dnsNames(List<String> asked) throws RefusedName {
      List<String> granted = new ArrayList<>();
      for (String name : asked) {
        granted.add(dnsName(name));
      }
      return granted;
    }

    private String dnsName(String asked) throws RefusedName {
      DnsName name = DnsName.parse(asked);
      if (unrestricted() || isOwnService(name) || allowed(entry -> entry.allows(name))) {
        return name.toString();
      }
      throw new RefusedName(
          asked,
          name.isWildcard()
              ? "a wildcard" + needsAllow()
              : "not a name of a Service in namespace " + requester.namespace() + needsAllow());
    }

    private boolean isOwnService(DnsName name) {
      String service = name.labels().get(0);
      return requester.services().contains(service)
          && serviceNames(service, requester.namespace(), policy.clusterDomain)
              .contains(name.toString());
    }

    private List<String> ipAddresses(List<String> asked) throws RefusedName {
      List<String> granted = new ArrayList<>();
      for (String text : asked) {
        InetAddress address = IpLiteral.parse(text);
        if (!unrestricted() && !allowed(entry -> entry.allows(address))) {
          throw new RefusedName(text, "an IP address" + needsAllow());
        }
        granted.add(address.getHostAddress());
      }
      return granted;
    }

    private List<String> uris(List<String> asked) throws RefusedName {
      if (asked.size() > 1) {
        throw new RefusedName(asked.get(1), "a second URI; a certificate carries exactly one");
      }
      List<String> granted = new ArrayList<>();
      for (String uri : asked) {
        granted.add(isSpiffe(uri) ? spiffeId(uri) : otherUri(uri));
      }
      return granted;
    }

    private String spiffeId(String asked) throws RefusedName {
      SpiffeId id = SpiffeId.parse(asked);
      if (unrestricted() || isOwnAccount(id) || allowed(entry -> entry.allows(id))) {
        return id.toString();
      }
      throw new RefusedName(
          asked,
          "not spiffe://"
              + policy.trustDomain
              + "/ns/"
              + requester.namespace()
              + "/sa/ with a service account that exists there"
              + needsAllow());
    }

    private boolean isOwnAccount(SpiffeId id) {
      return requester.serviceAccounts().stream()
          .map(account -> SpiffeId.of(policy.trustDomain, requester.namespace(), account))
          .anyMatch(id::equals);
    }

    private String otherUri(String asked) throws RefusedName {
      checkUri(asked);
      if (unrestricted() || allowed(entry -> entry.allowsUri(asked))) {
        return asked;
      }
      throw new RefusedName(asked, "not a SPIFFE ID" + needsAllow());
    }

    private String commonName(String asked, List<String> granted) throws RefusedName {
      if (asked.isEmpty()) {
        return "";
      }
      if (asked.length() > LONGEST_COMMON_NAME) {
        throw new RefusedName(asked, "commonName has more than 64 characters");
      }
      if (!asked.chars().allMatch(c -> c >= ' ' && c < 127)) {
        throw new RefusedName(asked, "commonName is printable ASCII");
      }
      if (unrestricted()) {
        return asked;
      }
      String name = DnsName.parse(asked).toString();
      return granted.contains(name) ? name : dnsName(asked);
    }

    private boolean unrestricted() {
      return switch (policy.scope) {
        case NAMESPACE -> true;
        case CLUSTER -> false;
      };
    }

    private boolean allowed(Predicate<AllowEntry> grants) {
      return policy.allow.stream()
          .filter(entry -> entry.speaksFor(requester.namespace()))
          .anyMatch(grants);
    }

    private String needsAllow() {
      return "; it needs a line in the ClusterIssuer's spec.allow for namespace "
          + requester.namespace();
    }
  }

  /** Any case, so that no odd spelling gets past the SPIFFE rules as some other URI. */
  private static boolean isSpiffe(String uri) {
    return uri.regionMatches(true, 0, "spiffe:", 0, "spiffe:".length());
  }

  private static void checkUri(String uri) throws RefusedName {
    if (uri.length() > LONGEST_URI || !uri.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new RefusedName(uri, "a URI is at most 2048 characters of ASCII");
    }
    try {
      if (!new URI(uri).isAbsolute()) {
        throw new RefusedName(uri, "a URI begins with a scheme");
      }
    } catch (URISyntaxException e) {
      throw new RefusedName(uri, "not a URI");
    }
  }
}
