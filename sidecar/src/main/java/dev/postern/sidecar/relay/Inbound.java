package dev.postern.sidecar.relay;

/**
 * What the client sends, as plaintext, by one of the paths.
 *
 * <p>Each {@link #receive} ends in exactly one call of the connection: {@link FromClient#arrived},
 * {@link FromClient#ended}, or one that begins to close.
 */
interface Inbound {

  /**
   * Asks for the client's next bytes.
   *
   * @param spare a buffer for them, which is taken over; or none
   */
  void receive(int spare);

  /** The completion of what {@link #receive} has put in flight on the client's socket. */
  void completed(int result, int buffer);

  /** The connection has been idle: memory that it can do without goes back. */
  default void rest() {}
}
