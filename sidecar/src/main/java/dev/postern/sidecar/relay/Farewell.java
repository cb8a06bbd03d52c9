package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Errno;

/**
 * The way out, in one order: what is in flight towards the app is cancelled; the client gets its
 * last words, then our FIN; what it still sends is thrown away until it ends too (RFC 1122 section
 * 4.2.2.13) or its time is over; both sockets are closed once nothing is in flight on them.
 */
final class Farewell {

  private final Connection connection;
  private final Worker worker;
  private final Endpoint client;
  private final Endpoint app;
  private boolean clientListens = true;
  private boolean clientEnded;
  private boolean awaitsEnd;

  Farewell(Connection connection) {
    this.connection = connection;
    worker = connection.worker;
    client = connection.client;
    app = connection.app;
  }

  /** Nothing more can be told to the client. */
  void clientIsGone() {
    clientListens = false;
    clientEnded = true;
  }

  boolean clientListens() {
    return clientListens;
  }

  void begin() {
    app.cancel();
  }

  /** One step; called after every completion and at the deadline. */
  void advance() {
    if (connection.state() != ConnectionState.CLOSING) {
      return;
    }
    if (app.isOpen() && !app.busy() && !connection.peeksOrDials()) {
      app.close();
    }
    if (clientEnded) {
      client.cancel();
    } else if (connection.outbound() == null || connection.outbound().lastWordsGone()) {
      client.finish();
      discard();
    }
    if (clientEnded && !client.busy() && !app.isOpen() && !connection.peeksOrDials()) {
      client.close();
      connection.closed();
    }
  }

  private void discard() {
    if (awaitsEnd) {
      client.awaitEnd();
    } else {
      client.receive(worker.bufferBytes());
    }
  }

  /** What a client still sends is thrown away, so that our last bytes reach it. */
  void received(int result, int buffer) {
    if (buffer >= 0) {
      worker.release(buffer);
    } else if (result < 0 && result != -Errno.ECANCELED && connection.path.kernelReceives()) {
      // A record that is no data, or none at all, stops a plain receive: wait for the FIN instead.
      awaitsEnd = !awaitsEnd && !clientEnded;
      clientEnded = !awaitsEnd;
    } else if (result != -Errno.ECANCELED || clientEnded) {
      clientEnded = true;
    }
  }

  /** The client had its time: what it has not read by now it may lose. */
  void cutShort() {
    client.resetOnClose();
    clientIsGone();
  }
}
