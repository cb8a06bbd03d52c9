package dev.postern.operator.inject;

import dev.postern.crds.Api;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** The annotations that a user may write on a pod, and what each may say. */
enum AnnotationKey {
  INJECT("inject", "\"true\" or \"false\""),
  POLICY("policy", "the name of a TLSPolicy in the pod's namespace"),
  CERTIFICATE("certificate", "the name of a Certificate in the pod's namespace"),
  PORTS("ports", "up to 64 TCP port numbers from 1 to 65535, such as \"8080,9090\""),
  CAPTURE("capture", "redirect (the one value in this version; ports comes in a later one)"),
  CPU("cpu", "an amount from 1m to 64, such as \"100m\" or \"0.5\""),
  MEMORY("memory", "an amount from 32Mi to 64Gi, such as \"128Mi\""),
  LOG_LEVEL("log-level", "error, warn, info or debug");

  static final String PREFIX = Api.GROUP + "/";

  private static final int MAX_COMPARED = 63;

  private final String key;
  private final String allowed;

  AnnotationKey(String name, String allowed) {
    this.key = PREFIX + name;
    this.allowed = allowed;
  }

  String key() {
    return key;
  }

  Refusal refuse(String value) {
    return Refusal.invalid(
        "annotation " + key + ": " + Refusal.quote(value) + " is not allowed; allowed: " + allowed);
  }

  static Optional<AnnotationKey> of(String key) {
    return Arrays.stream(values()).filter(known -> known.key.equals(key)).findFirst();
  }

  /** The known key that takes the fewest edits to reach. */
  static AnnotationKey nearest(String key) {
    String bounded = key.length() <= MAX_COMPARED ? key : key.substring(0, MAX_COMPARED);
    return Arrays.stream(values())
        .min(Comparator.comparingInt(known -> edits(known.key, bounded)))
        .orElseThrow();
  }

  /** Levenshtein's distance, one row at a time. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
