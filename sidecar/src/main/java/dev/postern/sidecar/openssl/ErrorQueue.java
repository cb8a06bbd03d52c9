package dev.postern.sidecar.openssl;

/** OpenSSL's error queue of this thread, man ERR_get_error(3ssl). */
public final class ErrorQueue {

  private ErrorQueue() {}

  /** Empties it; to be done before each call whose failure will be asked about. */
  public static void clear() {
    LibCrypto.errClearError();
  }

  /** The oldest error, the one nearest to the cause; the queue is empty afterwards. */
  public static Entry take() {
    long code = LibCrypto.errGetError();
    if (code == 0) {
      return Entry.NONE;
    }
    Entry entry =
        new Entry(
            (int) (code >>> 23) & 0xff,
            (int) code & 0x7fffff,
            NativeMemory.string(LibCrypto.errReasonErrorString(code)));
    clear();
    return entry;
  }

  /**
   * One error.
   *
   * @param library ERR_GET_LIB of the code
   * @param reason ERR_GET_REASON of the code
   * @param text OpenSSL's words for the reason
   */
  public record Entry(int library, int reason, String text) {
    public static final Entry NONE = new Entry(0, 0, "no error queued");

    /** True for a reason of libssl. */
    public boolean isSsl(int sslReason) {
      return library == Constants.ERR_LIB_SSL && reason == sslReason;
    }

    @Override
    public String toString() {
      return text.isEmpty() ? "library " + library + " reason " + reason : text;
    }
  }
}
