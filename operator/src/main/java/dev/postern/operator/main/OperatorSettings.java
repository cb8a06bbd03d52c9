package dev.postern.operator.main;

import dev.postern.crds.DurationText;
import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import dev.postern.operator.serving.ReleaseNames;
import dev.postern.operator.workload.WorkloadSettings;
import java.util.Arrays;
import java.util.List;

/**
 * The options of {@code postern-operator operator}, checked.
 *
 * @param namespaces to look at; empty: all
 */
record OperatorSettings(ReleaseNames names, List<String> namespaces, WorkloadSettings workloads) {

  OperatorSettings {
    namespaces = List.copyOf(namespaces);
  }

  /** Names between commas; none at all: every namespace. */
  static List<String> namespaces(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  /**
   * The loosest mode that is allowed.
   *
   * @param text empty: no floor
   */
  static Mode modeFloor(String text) {
    return switch (text) {
      case "", "Disabled" -> Mode.Disabled;
      case "Permissive" -> Mode.Permissive;
      case "Strict" -> Mode.Strict;
      default ->
          throw new IllegalArgumentException(
              "--mode-floor: \"" + text + "\" is not Strict, Permissive or Disabled");
    };
  }

  static MinVersion minVersionFloor(String text) {
    return switch (text) {
      case "", "TLS1.2" -> MinVersion.TLS1_2;
      case "TLS1.3" -> MinVersion.TLS1_3;
      default ->
          throw new IllegalArgumentException(
              "--min-version-floor: \"" + text + "\" is not TLS1.2 or TLS1.3");
    };
  }

  static String identityDuration(String text) {
    if (text.isEmpty() || !text.matches(DurationText.PATTERN)) {
      throw new IllegalArgumentException(
          "--identity-duration: \"" + text + "\" is no duration, as 24h or 90m");
    }
    return text;
  }
}
