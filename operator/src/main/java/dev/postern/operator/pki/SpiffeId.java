package dev.postern.operator.pki;

import java.util.List;

/**
 * A SPIFFE ID in its one strict form (SPIFFE-ID 2): what another parser could read in two ways is
 * refused.
 *
 * @param trustDomain lower case
 * @param segments the path, at least one
 */
record SpiffeId(String trustDomain, List<String> segments) {
  static final String SCHEME = "spiffe://";

  private static final int LONGEST = 2048;
  private static final int LONGEST_TRUST_DOMAIN = 255;
  private static final String WORKLOAD_FORM = "spiffe://TRUST-DOMAIN/ns/NAMESPACE/sa/ACCOUNT";

  SpiffeId {
    segments = List.copyOf(segments);
  }

  static SpiffeId of(String trustDomain, String namespace, String serviceAccount) {
    return new SpiffeId(trustDomain, List.of("ns", namespace, "sa", serviceAccount));
  }

  static SpiffeId parse(String uri) throws RefusedName {
    if (!uri.startsWith(SCHEME)) {
      throw new RefusedName(uri, "a SPIFFE ID begins with spiffe:// in lower case");
    }
    if (uri.length() > LONGEST) {
      throw new RefusedName(uri, "longer than " + LONGEST + " characters");
    }
    List<String> parts = List.of(uri.substring(SCHEME.length()).split("/", -1));
    checkTrustDomain(uri, parts.get(0));
    if (parts.size() == 1) {
      throw new RefusedName(uri, "no path; expected " + WORKLOAD_FORM);
    }
    for (String segment : parts.subList(1, parts.size())) {
      checkSegment(uri, segment);
    }
    return new SpiffeId(parts.get(0), parts.subList(1, parts.size()));
  }

  /** True for an ID with the pattern's trust domain, where `*` stands for one whole segment. */
  boolean matches(List<String> patternParts) {
    return patternParts.size() == segments.size() + 1
        && patternParts.get(0).equals(trustDomain)
        && segmentsMatch(patternParts.subList(1, patternParts.size()));
  }

  private boolean segmentsMatch(List<String> pattern) {
    for (int i = 0; i < segments.size(); i++) {
      if (!pattern.get(i).equals("*") && !pattern.get(i).equals(segments.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static void checkTrustDomain(String uri, String domain) throws RefusedName {
    if (domain.isEmpty() || domain.length() > LONGEST_TRUST_DOMAIN) {
      throw new RefusedName(uri, "the trust domain is empty or too long");
    }
    if (!domain.chars().allMatch(c -> isLowerOrDigit(c) || ".-_".indexOf(c) >= 0)) {
      throw new RefusedName(
          uri, "a trust domain has only a-z, 0-9, '.', '-', '_': no user, port or upper case");
    }
  }

  private static void checkSegment(String uri, String segment) throws RefusedName {
    if (segment.isEmpty()) {
      throw new RefusedName(uri, "an empty path segment");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw new RefusedName(uri, "the path segment " + segment);
    }
    if (!segment.chars().allMatch(SpiffeId::isSegmentCharacter)) {
      throw new RefusedName(
          uri,
          "a path segment has only letters, digits, '.', '-', '_': no percent-encoding, query or"
              + " fragment");
    }
  }

  private static boolean isSegmentCharacter(int c) {
    return isLowerOrDigit(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
  }

  private static boolean isLowerOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }

  @Override
  public String toString() {
    return SCHEME + trustDomain + "/" + String.join("/", segments);
  }
}
