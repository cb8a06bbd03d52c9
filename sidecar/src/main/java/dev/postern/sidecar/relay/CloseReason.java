package dev.postern.sidecar.relay;

import java.util.Locale;

/** Why a connection ended: a closed set, the label of the metric and of the access log. */
public enum CloseReason {
  /** The client ended first, properly. */
  CLIENT_CLOSED,
  /** The app ended first, properly. */
  APP_CLOSED,
  /** The client's FIN came without close_notify while the app had more to hear or to say. */
  TRUNCATED,
  CLIENT_RESET,
  APP_RESET,
  /** The client went away in the middle of the handshake. */
  HANDSHAKE_ABORTED,
  HANDSHAKE_FAILED,
  HANDSHAKE_TIMEOUT,
  /** The handshake was good, the peer is not one of those that the policy allows. */
  PEER_REFUSED,
  /** The port is not among those that are served. */
  PORT_NOT_DECLARED,
  /** The sidecar's own port was dialled. */
  LOOP,
  /** Nothing listens where the app should. */
  APP_REFUSED,
  /** The app took too long to accept. */
  APP_TIMEOUT,
  /** A record that does not decrypt, or breaks the protocol. */
  PROTOCOL_ERROR,
  /** The client wanted new keys and this kernel cannot change those it holds. */
  REKEY_UNSUPPORTED,
  IDLE,
  /** The drain's deadline. */
  DRAINED,
  /** No slot or memory was left. */
  OVERLOAD,
  /** A fault of the sidecar's own. */
  INTERNAL;

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }
}
