package dev.postern.operator.inject;

/** Ends a decision with a refusal; caught in {@link Injector}, never leaves this package. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  static final int MAX_MESSAGE = 600;
  private static final int MAX_QUOTED = 48;

  private final int code;

  private Refusal(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** A value that is wrong in itself: 422. */
  static Refusal invalid(String message) {
    return new Refusal(422, message);
  }

  /** A pod that a rule forbids: 403. */
  static Refusal forbidden(String message) {
    return new Refusal(403, message);
  }

  Outcome.Refused outcome() {
    String message = getMessage();
    return new Outcome.Refused(
        code, message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE) + "…");
  }

  /** A user's text as it may stand in a message: bounded, control characters made visible. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    int end = Math.min(text.length(), MAX_QUOTED);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || Character.isSurrogate(c) || c == '"') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append(end < text.length() ? "…\"" : "\"").toString();
  }
}
