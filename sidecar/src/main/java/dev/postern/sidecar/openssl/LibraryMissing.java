package dev.postern.sidecar.openssl;

/** A shared library, or a symbol in it, is not on this machine; the process ends with status 69. */
public final class LibraryMissing extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LibraryMissing(String message, Throwable cause) {
    super(message, cause);
  }
}
