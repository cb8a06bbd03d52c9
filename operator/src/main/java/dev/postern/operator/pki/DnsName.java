package dev.postern.operator.pki;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A DNS name in its one form: lower case, no trailing dot, letters, digits and dashes (RFC 1123), a
 * `*` only as the whole first label (RFC 6125 6.4.3).
 */
record DnsName(List<String> labels) {
  private static final int LONGEST = 253;
  private static final int WILDCARD_LABELS = 3;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  DnsName {
    labels = List.copyOf(labels);
  }

  static DnsName parse(String name) throws RefusedName {
    // First, since lower-casing turns some other letters into ASCII (U+212A into k).
    if (!name.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new RefusedName(name, "a DNS name is ASCII (write other letters as xn--…)");
    }
    String lower = withoutTrailingDot(name).toLowerCase(Locale.ROOT);
    if (lower.isEmpty() || lower.length() > LONGEST) {
      throw new RefusedName(name, "a DNS name has 1 to " + LONGEST + " characters");
    }
    List<String> labels = List.of(lower.split("\\.", -1));
    boolean wildcard = labels.get(0).equals("*");
    if (wildcard && labels.size() < WILDCARD_LABELS) {
      throw new RefusedName(name, "a wildcard needs two labels or more behind it");
    }
    for (String label : labels.subList(wildcard ? 1 : 0, labels.size())) {
      checkLabel(name, label);
    }
    if (DIGITS.matcher(labels.get(labels.size() - 1)).matches()) {
      throw new RefusedName(name, "looks like an IP address; use ipAddresses");
    }
    return new DnsName(labels);
  }

  /** True where every label is equal or the pattern's is `*`. */
  boolean matches(List<String> pattern) {
    if (pattern.size() != labels.size()) {
      return false;
    }
    for (int i = 0; i < labels.size(); i++) {
      if (!pattern.get(i).equals("*") && !pattern.get(i).equals(labels.get(i))) {
        return false;
      }
    }
    return true;
  }

  boolean isWildcard() {
    return labels.get(0).equals("*");
  }

  static String withoutTrailingDot(String name) {
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private static void checkLabel(String name, String label) throws RefusedName {
    if (label.isEmpty()) {
      throw new RefusedName(name, "an empty label");
    }
    if (!LABEL.matcher(label).matches()) {
      throw new RefusedName(
          name,
          "the label \""
              + label
              + "\" is not possible: 1 to 63 letters, digits and inner dashes; '*' only as the"
              + " whole first label");
    }
  }

  @Override
  public String toString() {
    return String.join(".", labels);
  }
}
