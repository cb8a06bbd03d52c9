package dev.postern.sidecar.relay;

/** Where a connection stands; see {@link Connection} for what moves it on. */
public enum ConnectionState {
  /** Permissive port: waiting for the first byte, which tells TLS from plaintext. */
  PEEKING,
  HANDSHAKING,
  /** The peer is allowed; the app is being connected. */
  CONNECTING,
  RELAYING,
  /** The reason is known: last bytes and FIN go out, then both sides are closed. */
  CLOSING,
  CLOSED;

  boolean mayBecome(ConnectionState next) {
    return switch (this) {
      case PEEKING -> next != RELAYING && next != PEEKING && next != CLOSED;
      case HANDSHAKING -> next == CONNECTING || next == CLOSING;
      case CONNECTING -> next == RELAYING || next == CLOSING;
      case RELAYING -> next == CLOSING;
      case CLOSING -> next == CLOSED;
      case CLOSED -> false;
    };
  }
}
