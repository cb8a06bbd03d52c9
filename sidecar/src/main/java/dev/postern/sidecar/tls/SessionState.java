package dev.postern.sidecar.tls;

/** Where a session stands. */
enum SessionState {
  HANDSHAKING,
  /** Both directions carry data. */
  OPEN,
  /** The peer's close_notify came; we may still write. */
  READ_CLOSED,
  /** Our close_notify is queued; we may still read. */
  WRITE_CLOSED,
  /** close_notify went both ways. */
  CLOSED,
  /** Broken; only what is queued for the peer still makes sense. */
  FAILED,
  FREED;

  /** The legal transitions. */
  boolean mayBecome(SessionState next) {
    return switch (this) {
      case HANDSHAKING -> next == OPEN || next == FAILED || next == FREED;
      case OPEN -> next == READ_CLOSED || next == WRITE_CLOSED || next == FAILED || next == FREED;
      case READ_CLOSED, WRITE_CLOSED -> next == CLOSED || next == FAILED || next == FREED;
      case CLOSED, FAILED -> next == FREED;
      case FREED -> false;
    };
  }

  boolean readable() {
    return this == OPEN || this == WRITE_CLOSED;
  }

  boolean writable() {
    return this == OPEN || this == READ_CLOSED;
  }

  boolean established() {
    return this != HANDSHAKING && this != FAILED && this != FREED;
  }
}
