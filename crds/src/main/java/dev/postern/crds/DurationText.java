package dev.postern.crds;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Durations as specs write them, as "2160h", "1h30m" or "10s": Go's, from hours to seconds. */
public final class DurationText {

  /** What the API server lets through; the empty text too. */
  public static final String PATTERN = "^([0-9]+h)?([0-9]+m)?([0-9]+s)?$";

  private DurationText() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException whose message says what is wanted
   */
  public static Duration parse(String text) {
    try {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(text + " is no duration, as 2160h or 90m", e);
    }
  }
}
