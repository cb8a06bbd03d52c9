package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.tls.TlsSession;

/**
 * The direction from the client to the app.
 *
 * <p>One buffer at a time: it arrives with ciphertext, is filled with plaintext and is sent to the
 * app; the next receive waits until that has gone. That is the back-pressure.
 */
final class FromClient {

  /** Answers that the session owes the client; more than that stops reading from it. */
  private static final int MAX_OWED_BYTES = 16 * 1024;

  private final Connection connection;
  private final Worker worker;
  private final Sending sending = new Sending();
  private final Counter bytes = new Counter();
  private int lastRead = TlsSession.WANT_INPUT;
  private boolean ended;
  private long endedNs;
  private boolean waitsForFlush;

  FromClient(Connection connection) {
    this.connection = connection;
    worker = connection.worker;
  }

  /** The relay begins; the handshake may have brought the first records along. */
  void start() {
    if (connection.session() == null) {
      connection.recvFromClient();
      return;
    }
    int buffer = worker.acquire();
    if (buffer == BufferPool.NONE) {
      connection.end(CloseReason.OVERLOAD);
    } else {
      decrypt(buffer);
    }
  }

  void completed(int result, int buffer) {
    if (result > 0) {
      received(buffer, result);
    } else if (result < 0) {
      connection.clientGone(-result);
    } else if (connection.session() != null && !connection.fromApp.ended()) {
      connection.clientTruncated();
    } else {
      end();
    }
  }

  void received(int buffer, int lengthBytes) {
    TlsSession session = connection.session();
    if (session == null) {
      send(buffer, lengthBytes);
      return;
    }
    session.feed(worker.address(buffer), lengthBytes);
    decrypt(buffer);
  }

  private void decrypt(int buffer) {
    TlsSession session = connection.session();
    long address = worker.address(buffer);
    int capacity = worker.bufferBytes();
    int length = 0;
    lastRead = 1;
    while (length < capacity && lastRead > 0) {
      lastRead = session.read(address + length, capacity - length);
      length += Math.max(lastRead, 0);
    }
    if (length > 0) {
      send(buffer, length);
    } else {
      worker.release(buffer);
      next();
    }
  }

  private void send(int buffer, int lengthBytes) {
    bytes.add(lengthBytes);
    worker.countToApp(lengthBytes);
    sending.begin(buffer, lengthBytes);
    connection.sendToApp();
  }

  void sent(int result) {
    if (result < 0) {
      // The app hears no more, but may have spoken before: its own direction tells how it ended.
      worker.release(sending.end());
      end();
      return;
    }
    sending.sent(result);
    if (sending.leftBytes() > 0) {
      worker.countRetry();
      connection.sendToApp();
      return;
    }
    int buffer = sending.end();
    if (connection.session() != null && lastRead > 0) {
      decrypt(buffer);
    } else {
      worker.release(buffer);
      next();
    }
  }

  /** All that was read has gone to the app. */
  private void next() {
    switch (connection.session() == null ? TlsSession.WANT_INPUT : lastRead) {
      case TlsSession.WANT_INPUT -> {
        payOwed();
        if (!waitsForFlush) {
          connection.recvFromClient();
        }
      }
      case TlsSession.CLOSE_NOTIFY -> end();
      case TlsSession.FAILED -> connection.protocolError();
      default -> throw new AssertionError(lastRead);
    }
  }

  /** Reading can make output, an answer to KeyUpdate for one. */
  private void payOwed() {
    TlsSession session = connection.session();
    int owed = session == null ? 0 : session.undrainedBytes();
    if (owed > 0) {
      int buffer = connection.fromApp.sending().busy() ? BufferPool.NONE : worker.acquire();
      if (buffer != BufferPool.NONE) {
        connection.flush(buffer);
      }
      waitsForFlush = owed > MAX_OWED_BYTES && session.undrainedBytes() > 0;
    }
  }

  void outputFlushed() {
    if (waitsForFlush) {
      waitsForFlush = false;
      connection.recvFromClient();
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      endedNs = worker.nowNs();
      connection.shutdownApp();
      connection.directionEnded();
    }
  }

  Sending sending() {
    return sending;
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
