package dev.postern.sidecar.relay;

/** A handshake in progress over one of the transports; ends in a call of {@link Connection}. */
interface Handshaking {

  /** Begins; the client's socket is untouched. */
  void start();

  /** The completion of a receive, or of the wait for one. */
  void received(int result, int buffer);

  /** Everything that was sent has gone, or the socket takes more. */
  void flushed();
}
