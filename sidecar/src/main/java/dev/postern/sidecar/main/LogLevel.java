package dev.postern.sidecar.main;

import java.util.Locale;

/** How much is logged. */
enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG;

  static LogLevel parse(String word) {
    for (LogLevel level : values()) {
      if (level.label().equals(word)) {
        return level;
      }
    }
    throw new IllegalArgumentException("error, warn, info or debug");
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean includes(LogLevel other) {
    return other.compareTo(this) <= 0;
  }
}
