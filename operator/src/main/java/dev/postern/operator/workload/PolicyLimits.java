package dev.postern.operator.workload;

import dev.postern.crds.DurationText;
import dev.postern.crds.LimitsSpec;
import dev.postern.crds.ResolvedPolicy;
import java.time.Duration;
import java.util.Objects;

/** The limits of a policy in numbers, with defaults and bounds; the CRD has the same bounds. */
final class PolicyLimits {

  private static final LimitsSpec UNSPOKEN = new LimitsSpec(null, null, null, null);
  private static final String SHORTEST = "1s";
  private static final int MOST_CONNECTIONS = 1_000_000;

  private PolicyLimits() {}

  /**
   * Reads them.
   *
   * @param spec null: all by default
   * @throws IllegalArgumentException naming the field that cannot be used, and what can
   */
  static ResolvedPolicy.Limits of(LimitsSpec spec) {
    LimitsSpec asked = Objects.requireNonNullElse(spec, UNSPOKEN);
    return new ResolvedPolicy.Limits(
        seconds(
            "handshakeTimeout", Objects.requireNonNullElse(asked.handshakeTimeout(), "10s"), "5m"),
        seconds("idleTimeout", Objects.requireNonNullElse(asked.idleTimeout(), "1h"), "24h"),
        asked.maxAge() == null ? 0 : seconds("maxAge", asked.maxAge(), "720h"),
        asked.maxConnections() == null ? 0 : connections(asked.maxConnections()));
  }

  private static long seconds(String field, String text, String longest) {
    Duration time;
    try {
      time = DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("limits." + field + ": " + e.getMessage(), e);
    }
    if (time.compareTo(DurationText.parse(SHORTEST)) < 0
        || time.compareTo(DurationText.parse(longest)) > 0) {
      throw new IllegalArgumentException(
          "limits." + field + ": " + text + " is not between " + SHORTEST + " and " + longest);
    }
    return time.toSeconds();
  }

  private static int connections(int most) {
    if (most < 1 || most > MOST_CONNECTIONS) {
      throw new IllegalArgumentException(
          "limits.maxConnections: " + most + " is not between 1 and " + MOST_CONNECTIONS);
    }
    return most;
  }
}
