package dev.postern.sidecar.openssl;

/** Whether OpenSSL is there, and which. */
public final class OpenSsl {

  private static final int OPENSSL_VERSION = 0;

  private OpenSsl() {}

  /**
   * Loads both libraries and every symbol that is used.
   *
   * @return the version in OpenSSL's words, as "OpenSSL 3.5.4 30 Sep 2025"
   * @throws LibraryMissing in one sentence that names the library
   */
  public static String require() {
    try {
      LibSsl.serverMethod();
      return NativeMemory.string(LibCrypto.version(OPENSSL_VERSION));
    } catch (ExceptionInInitializerError e) {
      if (e.getCause() instanceof LibraryMissing missing) {
        throw missing;
      }
      throw e;
    }
  }
}
