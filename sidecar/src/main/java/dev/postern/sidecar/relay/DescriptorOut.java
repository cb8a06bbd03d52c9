package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.tls.DescriptorSession;
import dev.postern.sidecar.tls.TlsSession;

/** Records that OpenSSL seals and writes to the socket. */
final class DescriptorOut implements Outbound {

  private final Connection connection;
  private final Worker worker;
  private final Endpoint client;
  private final DescriptorSession session;
  private int buffer = BufferPool.NONE;
  private int lengthBytes;
  private int writtenBytes;
  private boolean owesCloseNotify;

  DescriptorOut(Connection connection, DescriptorSession session) {
    this.connection = connection;
    this.session = session;
    worker = connection.worker;
    client = connection.client;
  }

  @Override
  public void send(int buffer, int lengthBytes) {
    this.buffer = buffer;
    this.lengthBytes = lengthBytes;
    writtenBytes = 0;
    write();
  }

  private void write() {
    int result = 1;
    while (writtenBytes < lengthBytes && result > 0) {
      result = session.write(worker.address(buffer) + writtenBytes, lengthBytes - writtenBytes);
      writtenBytes += Math.max(result, 0);
    }
    switch (result) {
      case TlsSession.WANT_OUTPUT, TlsSession.WANT_INPUT -> {
        worker.countRetry();
        client.awaitWritable();
      }
      case TlsSession.RESET, TlsSession.TRUNCATED -> {
        drop();
        connection.clientGone(0);
      }
      case TlsSession.FAILED, TlsSession.CLOSE_NOTIFY -> {
        drop();
        connection.protocolError(session.failure());
      }
      default -> {
        drop();
        goOn();
      }
    }
  }

  private void drop() {
    worker.releaseIfAny(buffer);
    buffer = BufferPool.NONE;
  }

  private void goOn() {
    if (owesCloseNotify) {
      closeNotify();
    } else {
      connection.clientFlushed();
    }
  }

  @Override
  public void closeNotify() {
    owesCloseNotify = true;
    if (busy()) {
      return;
    }
    if (session.closeNotify()) {
      owesCloseNotify = false;
      connection.clientFlushed();
    } else {
      client.awaitWritable();
    }
  }

  @Override
  public void sent(int result) {
    if (result < 0) {
      drop();
      connection.clientGone(-result);
    } else if (buffer != BufferPool.NONE) {
      write();
    } else if (owesCloseNotify) {
      closeNotify();
    }
  }

  @Override
  public boolean busy() {
    return client.sendsNow();
  }

  @Override
  public boolean lastWordsGone() {
    if (!busy() && owesCloseNotify) {
      closeNotify();
    }
    return !busy();
  }
}
