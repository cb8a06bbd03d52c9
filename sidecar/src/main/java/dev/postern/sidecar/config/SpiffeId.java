package dev.postern.sidecar.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A SPIFFE ID (SPIFFE-ID standard, section 2); only the normal form is taken.
 *
 * @param trustDomain as "cluster.local"
 * @param segments of the path; at least one
 */
record SpiffeId(String trustDomain, List<String> segments) {

  static final String SCHEME = "spiffe://";

  private static final int MAX_LENGTH = 2048;
  private static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9._-]{1,255}");
  private static final Pattern SEGMENT = Pattern.compile("[a-zA-Z0-9._-]+");

  SpiffeId {
    segments = List.copyOf(segments);
  }

  /** Empty for anything but a well-formed ID with a path. */
  static Optional<SpiffeId> parse(String uri) {
    int slash = uri.indexOf('/', Math.min(SCHEME.length(), uri.length()));
    if (!uri.startsWith(SCHEME) || uri.length() > MAX_LENGTH || slash < 0) {
      return Optional.empty();
    }
    String trustDomain = uri.substring(SCHEME.length(), slash);
    List<String> segments = List.of(uri.substring(slash + 1).split("/", -1));
    return isTrustDomain(trustDomain) && segments.stream().allMatch(SpiffeId::isSegment)
        ? Optional.of(new SpiffeId(trustDomain, segments))
        : Optional.empty();
  }

  static boolean isTrustDomain(String text) {
    return TRUST_DOMAIN.matcher(text).matches();
  }

  static boolean isSegment(String text) {
    return SEGMENT.matcher(text).matches() && !text.equals(".") && !text.equals("..");
  }
}
