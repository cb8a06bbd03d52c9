package dev.postern.operator.inject;

/** The cluster could not be asked; the message says what for, without a trailing dot. */
public final class LookupFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public LookupFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
