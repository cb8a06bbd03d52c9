package dev.postern.operator.pki;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** IP addresses and blocks as text; never asks a resolver. */
final class IpLiteral {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*");

  private IpLiteral() {}

  static InetAddress parse(String text) throws RefusedName {
    if (V4.matcher(text).matches() || V6.matcher(text).matches()) {
      try {
        return InetAddress.ofLiteral(text);
      } catch (IllegalArgumentException e) {
        throw new RefusedName(text, "not an IP address");
      }
    }
    throw new RefusedName(text, "not an IP address");
  }

  /** True when the pattern is the address or a block ("10.0.0.0/8") that holds it. */
  static boolean matches(InetAddress address, String pattern) {
    String[] parts = pattern.split("/", 2);
    Optional<InetAddress> base = parsed(parts[0]);
    if (base.isEmpty()) {
      return false;
    }
    byte[] wanted = base.get().getAddress();
    byte[] asked = address.getAddress();
    int prefix = parts.length == 1 ? wanted.length * 8 : prefixLength(parts[1]);
    return wanted.length == asked.length
        && prefix >= 0
        && prefix <= wanted.length * 8
        && sameBits(wanted, asked, prefix);
  }

  private static boolean sameBits(byte[] a, byte[] b, int bits) {
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i % 8);
      if ((a[i / 8] & mask) != (b[i / 8] & mask)) {
        return false;
      }
    }
    return true;
  }

  private static Optional<InetAddress> parsed(String text) {
    try {
      return Optional.of(parse(text));
    } catch (RefusedName e) {
      return Optional.empty();
    }
  }

  private static int prefixLength(String text) {
    return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
  }
}
