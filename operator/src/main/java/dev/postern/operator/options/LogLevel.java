package dev.postern.operator.options;

import ch.qos.logback.classic.Level;

/** Values of --log-level. */
enum LogLevel {
  error,
  warn,
  info,
  debug;

  Level logback() {
    return Level.toLevel(name());
  }
}
