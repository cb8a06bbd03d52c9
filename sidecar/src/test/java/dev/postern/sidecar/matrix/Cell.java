package dev.postern.sidecar.matrix;

import java.util.Locale;

/**
 * One behaviour on one mode of one kernel.
 *
 * @param behaviour a sentence, from the test's name
 * @param mode "kernel/io_uring"
 * @param outcome how it went
 * @param reason why it does not exist here, or what failed; empty when it held
 */
record Cell(String behaviour, String mode, Outcome outcome, String reason) {

  enum Outcome {
    HELD,
    ABSENT,
    FAILED;

    /** Of two runs of one cell, TLS 1.2 and 1.3 say, the one that says more. */
    Outcome worse(Outcome other) {
      return this == FAILED || other == FAILED ? FAILED : this == HELD ? HELD : other;
    }
  }

  /** "shouldResetTheAppWhen…" as "reset the app when …". */
  static String sentence(String method) {
    String words = method.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ");
    return words.replaceFirst("^should ", "").toLowerCase(Locale.ROOT);
  }

  /** It held, or it says why it cannot exist here. */
  boolean isAnswer() {
    return switch (outcome) {
      case HELD -> true;
      case ABSENT -> !reason.isBlank();
      case FAILED -> false;
    };
  }

  String toLine() {
    return String.join("\t", behaviour, mode, outcome.name(), oneLine(reason));
  }

  static Cell parse(String line) {
    String[] fields = line.split("\t", -1);
    return new Cell(fields[0], fields[1], Outcome.valueOf(fields[2]), fields[3]);
  }

  private static String oneLine(String text) {
    String flat = text.replaceAll("\\s+", " ").strip();
    return flat.length() > 200 ? flat.substring(0, 200) + "…" : flat;
  }
}
