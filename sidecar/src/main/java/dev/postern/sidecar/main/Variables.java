package dev.postern.sidecar.main;

import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Typed access to the environment; each error names the variable. */
record Variables(Map<String, String> environment) {

  String text(String name, String absent) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? absent : value.strip();
  }

  int number(String name, int absent, int least, int most) {
    String value = text(name, Integer.toString(absent));
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, with the range.
    }
    throw new SettingRefused(name, value, "a number from " + least + " to " + most);
  }

  int port(String name, int absent) {
    return port(name, text(name, Integer.toString(absent)));
  }

  static int port(String name, String value) {
    try {
      int port = Integer.parseInt(value.strip());
      if (port >= 1 && port <= 65535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Refused below, with the range.
    }
    throw new SettingRefused(name, value, "ports from 1 to 65535");
  }

  Set<Integer> ports(String name) {
    Set<Integer> ports = new LinkedHashSet<>();
    String text = text(name, "");
    if (!text.isEmpty()) {
      for (String one : text.split(",", -1)) {
        ports.add(port(name, one));
      }
    }
    return ports;
  }

  InetAddress address(String name, String absent) {
    return parsed(name, absent, InetAddress::ofLiteral);
  }

  <T> T parsed(String name, String absent, Function<String, T> parser) {
    String value = text(name, absent);
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw new SettingRefused(name, value, "something else: " + e.getMessage());
    }
  }
}
