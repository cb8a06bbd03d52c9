package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.tls.DescriptorSession;
import dev.postern.sidecar.tls.TlsSession;
import java.util.function.IntConsumer;

/** Records that OpenSSL reads from the socket and opens. */
final class DescriptorIn implements Inbound {

  private final Connection connection;
  private final Worker worker;
  private final DescriptorSession session;
  private final KeyUpdates keyUpdates;
  // Bound once: a method reference at the call would be an object each time.
  private final IntConsumer reading = this::read;

  /** Told what the peer asks of our keys; only where they are the kernel's. */
  @FunctionalInterface
  interface KeyUpdates {
    void askedFor();
  }

  DescriptorIn(Connection connection, DescriptorSession session, KeyUpdates keyUpdates) {
    this.connection = connection;
    this.session = session;
    this.keyUpdates = keyUpdates;
    worker = connection.worker;
  }

  @Override
  public void receive(int spare) {
    if (spare != BufferPool.NONE) {
      read(spare);
    } else {
      connection.withBuffer(reading);
    }
  }

  @Override
  public void completed(int result, int buffer) {
    if (result < 0) {
      connection.clientGone(-result);
    } else {
      connection.withBuffer(reading);
    }
  }

  /** At most one record a turn, so that one client cannot hold the worker. */
  private void read(int buffer) {
    int bytes = session.read(worker.address(buffer), worker.bufferBytes());
    if (keyUpdates != null && session.owesKeyUpdate()) {
      keyUpdates.askedFor();
    }
    switch (bytes) {
      case TlsSession.WANT_INPUT -> {
        worker.release(buffer);
        connection.client.awaitReadable();
      }
      case TlsSession.WANT_OUTPUT -> {
        // OpenSSL's own answer waits for room; the next write or read tries again.
        worker.release(buffer);
        connection.client.awaitReadable();
      }
      case TlsSession.CLOSE_NOTIFY -> connection.fromClient.ended(buffer);
      case TlsSession.TRUNCATED -> {
        worker.release(buffer);
        connection.clientTruncated();
      }
      case TlsSession.RESET -> {
        worker.release(buffer);
        connection.clientGone(0);
      }
      case TlsSession.FAILED -> {
        worker.release(buffer);
        connection.protocolError(session.failure());
      }
      default -> connection.fromClient.arrived(buffer, bytes);
    }
  }
}
