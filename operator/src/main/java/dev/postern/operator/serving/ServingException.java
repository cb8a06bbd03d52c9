package dev.postern.operator.serving;

/** A step could not be done; the message names the object and what to mend. */
public final class ServingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ServingException(String message) {
    super(message);
  }

  public ServingException(String message, Throwable cause) {
    super(message, cause);
  }
}
