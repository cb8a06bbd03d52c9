package dev.postern.sidecar.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** One line of a policy's peers; {@code *} stands for one whole segment or label. */
sealed interface PeerRule {

  String ANY = "*";

  /**
   * A workload by its SPIFFE ID.
   *
   * @param trustDomain never a wildcard
   * @param segments of the path
   */
  record Spiffe(String trustDomain, List<String> segments) implements PeerRule {

    public Spiffe {
      segments = List.copyOf(segments);
    }

    /**
     * Parses a rule.
     *
     * @throws IllegalArgumentException whose message says what is wrong with it
     */
    static Spiffe parse(String text) {
      if (!text.startsWith(SpiffeId.SCHEME)) {
        throw new IllegalArgumentException("must start with " + SpiffeId.SCHEME);
      }
      List<String> parts = List.of(text.substring(SpiffeId.SCHEME.length()).split("/", -1));
      if (!SpiffeId.isTrustDomain(parts.getFirst())) {
        throw new IllegalArgumentException(
            "the trust domain \"%s\" must be a plain name in lower case; * is not allowed there"
                .formatted(parts.getFirst()));
      }
      List<String> segments = parts.subList(1, parts.size());
      if (segments.isEmpty()) {
        throw new IllegalArgumentException("has no path");
      }
      for (String segment : segments) {
        if (!segment.equals(ANY) && !SpiffeId.isSegment(segment)) {
          throw new IllegalArgumentException(
              "the segment \"%s\" must be a plain name or * as a whole".formatted(segment));
        }
      }
      return new Spiffe(parts.getFirst(), segments);
    }

    boolean matches(SpiffeId id) {
      return trustDomain.equals(id.trustDomain()) && fit(segments, id.segments());
    }
  }

  /**
   * A workload by a DNS name of its certificate.
   *
   * @param labels lower case
   */
  record Dns(List<String> labels) implements PeerRule {

    private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");

    public Dns {
      labels = List.copyOf(labels);
    }

    /**
     * Parses a rule.
     *
     * @throws IllegalArgumentException whose message says what is wrong with it
     */
    static Dns parse(String text) {
      List<String> labels = labelsOf(text);
      for (String label : labels) {
        if (!label.equals(ANY) && !LABEL.matcher(label).matches()) {
          throw new IllegalArgumentException(
              "the label \"%s\" must be a plain name or * as a whole".formatted(label));
        }
      }
      if (labels.getLast().equals(ANY)) {
        throw new IllegalArgumentException("the last label must not be *");
      }
      return new Dns(labels);
    }

    /** A name in the certificate that is itself a wildcard never matches. */
    boolean matches(String name) {
      List<String> given = labelsOf(name);
      return given.stream().allMatch(l -> LABEL.matcher(l).matches()) && fit(labels, given);
    }

    private static List<String> labelsOf(String name) {
      return List.of(name.toLowerCase(Locale.ROOT).split("\\.", -1));
    }
  }

  private static boolean fit(List<String> rule, List<String> given) {
    if (rule.size() != given.size()) {
      return false;
    }
    for (int i = 0; i < rule.size(); i++) {
      if (!rule.get(i).equals(ANY) && !rule.get(i).equals(given.get(i))) {
        return false;
      }
    }
    return true;
  }
}
