package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;

/** A client without TLS: bytes pass as they are. */
final class PlainStream implements Inbound, Outbound {

  private final Connection connection;
  private final Worker worker;
  private final Endpoint client;

  PlainStream(Connection connection) {
    this.connection = connection;
    worker = connection.worker;
    client = connection.client;
  }

  @Override
  public void receive(int spare) {
    worker.releaseIfAny(spare);
    client.receive(worker.bufferBytes());
  }

  @Override
  public void completed(int result, int buffer) {
    if (result > 0) {
      connection.fromClient.arrived(buffer, result);
    } else if (result < 0) {
      connection.clientGone(-result);
    } else {
      connection.fromClient.ended(BufferPool.NONE);
    }
  }

  @Override
  public void send(int buffer, int lengthBytes) {
    client.send(buffer, lengthBytes);
  }

  @Override
  public void sent(int result) {
    if (connection.sentWhole(result)) {
      worker.release(client.sending().end());
      connection.clientFlushed();
    }
  }

  @Override
  public void closeNotify() {
    connection.clientFlushed();
  }

  @Override
  public boolean busy() {
    return client.sendsNow();
  }

  @Override
  public boolean lastWordsGone() {
    return !busy();
  }
}
