package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.tls.MemoryBioSession;

/** A handshake whose bytes pass through memory. */
final class MemoryHandshake implements Handshaking {

  private final Connection connection;
  private final Worker worker;
  private final MemoryBioSession session;
  private final MemoryStream stream;

  MemoryHandshake(Connection connection, MemoryBioSession session, MemoryStream stream) {
    this.connection = connection;
    this.session = session;
    this.stream = stream;
    worker = connection.worker;
  }

  @Override
  public void start() {
    connection.client.receive(worker.bufferBytes());
  }

  @Override
  public void received(int result, int buffer) {
    if (result <= 0) {
      connection.handshakeAborted(result == 0 ? "" : Errno.name(-result));
      return;
    }
    session.feed(worker.address(buffer), result);
    switch (session.handshake()) {
      case WANT_INPUT, WANT_OUTPUT -> {}
      case DONE -> connection.handshakeDone(session);
      case ABORTED, FAILED -> connection.handshakeFailed(session.failure());
    }
    stream.drain(buffer);
  }

  @Override
  public void flushed() {
    connection.client.receive(worker.bufferBytes());
  }
}
