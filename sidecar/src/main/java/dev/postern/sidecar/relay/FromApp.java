package dev.postern.sidecar.relay;

/** The direction from the app to the client. */
final class FromApp {

  /** What two records add to a buffer's worth of plaintext, TLS 1.2's explicit nonce included. */
  private static final int RECORD_OVERHEAD_BYTES = 128;

  private final Connection connection;
  private final Worker worker;
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
    connection.app.receive(worker.bufferBytes() - RECORD_OVERHEAD_BYTES);
  }

  /** The completion of a receive from the app. */
  void completed(int result, int buffer) {
    if (result > 0) {
      bytes.add(result);
      connection.track().sentToClient(result, bytes.read() == result, connection.ageNs());
      connection.outbound().send(buffer, result);
    } else if (result < 0) {
      connection.appGone(-result);
    } else {
      finReceived = true;
      // The app has ended: close_notify, then FIN behind it.
      connection.outbound().closeNotify();
    }
  }

  /** All output has gone: the FIN, or the app's next bytes. */
  void flushed() {
    if (!finReceived) {
      receive();
    } else if (!ended) {
      ended = true;
      endedNs = worker.nowNs();
      connection.client.finish();
      connection.directionEnded();
    }
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
