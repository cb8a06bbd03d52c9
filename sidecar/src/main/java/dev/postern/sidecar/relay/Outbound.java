package dev.postern.sidecar.relay;

/**
 * What goes to the client, by one of the paths; one thing at a time.
 *
 * <p>When everything that was given has gone to the kernel, {@link Connection#clientFlushed} is
 * called, once for each {@link #send} or {@link #closeNotify}.
 */
interface Outbound {

  /** Sends plaintext of the app; the buffer is taken over. Nothing else may be under way. */
  void send(int buffer, int lengthBytes);

  /** Says to the client that no more comes. */
  void closeNotify();

  /** The completion of what is in flight towards the client. */
  void sent(int result);

  /** True while something is on its way. */
  boolean busy();

  /**
   * Closing: goes on with what the client has still to hear, an alert or close_notify.
   *
   * @return true when there is nothing left and nothing in flight
   */
  boolean lastWordsGone();
}
