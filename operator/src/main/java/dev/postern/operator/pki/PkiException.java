package dev.postern.operator.pki;

/**
 * PEM, a key or a certificate that cannot be used. The message names the source and what to mend;
 * it never holds key material.
 */
public final class PkiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PkiException(String message) {
    super(message);
  }

  public PkiException(String message, Throwable cause) {
    super(message, cause);
  }
}
