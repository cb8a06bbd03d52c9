package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;

/**
 * The direction from the client to the app.
 *
 * <p>One buffer at a time: the next receive waits until what came has gone to the app. That is the
 * back-pressure.
 */
final class FromClient {

  private final Connection connection;
  private final Worker worker;
  private final Counter bytes = new Counter();
  private boolean ended;
  private long endedNs;

  FromClient(Connection connection) {
    this.connection = connection;
    worker = connection.worker;
  }

  void start() {
    connection.inbound().receive(BufferPool.NONE);
  }

  /** Plaintext of the client. */
  void arrived(int buffer, int lengthBytes) {
    bytes.add(lengthBytes);
    connection.track().bytesToApp.add(lengthBytes);
    connection.app.send(buffer, lengthBytes);
  }

  /** The completion of a send to the app. */
  void sent(int result) {
    Sending sending = connection.app.sending();
    if (result < 0) {
      // The app hears no more, but may have spoken before: its own direction tells how it ended.
      ended(sending.end());
      return;
    }
    sending.sent(result);
    if (sending.leftBytes() > 0) {
      worker.countRetry();
      connection.app.sendRest();
    } else {
      connection.inbound().receive(sending.end());
    }
  }

  /** Nothing more comes this way. */
  void ended(int spare) {
    worker.releaseIfAny(spare);
    if (!ended) {
      ended = true;
      endedNs = worker.nowNs();
      connection.app.finish();
      connection.directionEnded();
    }
  }

  boolean ended() {
    return ended;
  }

  boolean endedBefore(FromApp other) {
    return endedNs <= other.endedNs();
  }

  long bytes() {
    return bytes.read();
  }
}
