package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.tls.DescriptorSession;

/** A handshake that OpenSSL makes on the socket itself, step by step as it becomes ready. */
final class DescriptorHandshake implements Handshaking {

  private final Connection connection;
  private final DescriptorSession session;

  DescriptorHandshake(Connection connection, DescriptorSession session) {
    this.connection = connection;
    this.session = session;
  }

  @Override
  public void start() {
    connection.client.awaitReadable();
  }

  @Override
  public void received(int result, int buffer) {
    if (result < 0) {
      connection.handshakeAborted(Errno.name(-result));
    } else {
      step();
    }
  }

  @Override
  public void flushed() {
    step();
  }

  private void step() {
    switch (session.handshake()) {
      case WANT_INPUT -> connection.client.awaitReadable();
      case WANT_OUTPUT -> connection.client.awaitWritable();
      case DONE -> connection.handshakeDone(session);
      case ABORTED -> connection.handshakeAborted("");
      case FAILED -> connection.handshakeFailed(session.failure());
    }
  }
}
