package dev.postern.sidecar.relay;

import dev.postern.sidecar.tls.TlsSession;

/** The direction from the app to the client, and whatever else goes to the client. */
final class FromApp {

  /** What two records add to a buffer's worth of plaintext, TLS 1.2's explicit nonce included. */
  private static final int RECORD_OVERHEAD_BYTES = 128;

  private final Connection connection;
  private final Worker worker;
  private final Sending sending = new Sending();
  private final Counter bytes = new Counter();
  private boolean finReceived;
  private boolean ended;
  private long endedNs;

  FromApp(Connection connection) {
    this.connection = connection;
    worker = connection.worker;
  }

  void start() {
    receive();
  }

  private void receive() {
    int room = worker.bufferBytes();
    connection.recvFromApp(connection.session() == null ? room : room - RECORD_OVERHEAD_BYTES);
  }

  void completed(int result, int buffer) {
    if (result > 0) {
      received(buffer, result);
    } else if (result < 0) {
      connection.appGone(-result);
    } else {
      finReceived = true;
      farewell();
    }
  }

  private void received(int buffer, int lengthBytes) {
    bytes.add(lengthBytes);
    worker.countToClient(lengthBytes);
    TlsSession session = connection.session();
    if (session == null) {
      sending.begin(buffer, lengthBytes);
      connection.sendToClient();
    } else if (session.write(worker.address(buffer), lengthBytes) == TlsSession.FAILED) {
      worker.release(buffer);
      connection.protocolError();
    } else {
      connection.flush(buffer);
    }
  }

  /** The app has ended: close_notify, then FIN behind it. */
  private void farewell() {
    TlsSession session = connection.session();
    if (session != null) {
      session.closeNotify();
      if (sending.busy()) {
        return;
      }
      int buffer = worker.acquire();
      if (buffer >= 0) {
        connection.flush(buffer);
        return;
      }
    }
    if (!sending.busy()) {
      flushed();
    }
  }

  /** All output has gone: the FIN, or the app's next bytes. */
  void flushed() {
    if (!finReceived) {
      receive();
    } else if (!ended) {
      ended = true;
      endedNs = worker.nowNs();
      connection.shutdownClient();
      connection.directionEnded();
    }
  }

  Sending sending() {
    return sending;
  }

  boolean ended() {
    return ended;
  }

  long endedNs() {
    return endedNs;
  }

  long bytes() {
    return bytes.read();
  }
}
