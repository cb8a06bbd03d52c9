package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.tls.MemoryBioSession;
import dev.postern.sidecar.tls.TlsSession;
import java.util.function.IntConsumer;

/**
 * OpenSSL records through memory: the loop moves ciphertext, the session turns it.
 *
 * <p>One buffer serves each step: it arrives with ciphertext and leaves with plaintext, or the
 * other way round. Also carries the handshake's own bytes.
 */
final class MemoryStream implements Inbound, Outbound {

  /** Answers that the session owes the client; more than that stops reading from it. */
  private static final int MAX_OWED_BYTES = 16 * 1024;

  private final Connection connection;
  private final Worker worker;
  private final Endpoint client;
  private final MemoryBioSession session;
  // Bound once: a method reference at the call would be an object each time.
  private final IntConsumer decrypting = this::decrypt;
  private final IntConsumer draining = this::drain;
  // The handshake may have brought the first records along.
  private int lastRead = 1;
  private boolean waitsForFlush;

  MemoryStream(Connection connection, MemoryBioSession session) {
    this.connection = connection;
    this.session = session;
    worker = connection.worker;
    client = connection.client;
  }

  // ---- from the client

  @Override
  public void receive(int spare) {
    if (lastRead <= 0) {
      nothingRead(spare);
    } else if (spare != BufferPool.NONE) {
      decrypt(spare);
    } else {
      connection.withBuffer(decrypting);
    }
  }

  private void receiveMore() {
    payOwed();
    if (!waitsForFlush) {
      client.receive(worker.bufferBytes());
    }
  }

  @Override
  public void completed(int result, int buffer) {
    if (result > 0) {
      session.feed(worker.address(buffer), result);
      decrypt(buffer);
    } else if (result < 0) {
      connection.clientGone(-result);
    } else {
      connection.clientTruncated();
    }
  }

  private void decrypt(int buffer) {
    long address = worker.address(buffer);
    int capacity = worker.bufferBytes();
    int length = 0;
    lastRead = 1;
    while (length < capacity && lastRead > 0) {
      lastRead = session.read(address + length, capacity - length);
      length += Math.max(lastRead, 0);
    }
    if (length > 0) {
      connection.fromClient.arrived(buffer, length);
    } else {
      nothingRead(buffer);
    }
  }

  private void nothingRead(int spare) {
    if (lastRead == TlsSession.CLOSE_NOTIFY) {
      connection.fromClient.ended(spare);
      return;
    }
    worker.releaseIfAny(spare);
    if (lastRead == TlsSession.WANT_INPUT) {
      receiveMore();
    } else {
      connection.protocolError(session.failure());
    }
  }

  /** Reading can make output, an answer to KeyUpdate for one. */
  private void payOwed() {
    int owed = session.undrainedBytes();
    if (owed > 0) {
      int buffer = busy() ? BufferPool.NONE : worker.acquire();
      if (buffer != BufferPool.NONE) {
        drain(buffer);
      }
      waitsForFlush = owed > MAX_OWED_BYTES && session.undrainedBytes() > 0;
    }
  }

  @Override
  public void rest() {
    session.trim();
  }

  // ---- to the client

  @Override
  public void send(int buffer, int lengthBytes) {
    if (session.write(worker.address(buffer), lengthBytes) == TlsSession.FAILED) {
      worker.release(buffer);
      connection.protocolError(session.failure());
    } else {
      drain(buffer);
    }
  }

  @Override
  public void closeNotify() {
    session.closeNotify();
    if (!busy()) {
      connection.withBuffer(draining);
    }
  }

  /** Takes ciphertext into the buffer and sends it; without any the buffer goes back. */
  void drain(int buffer) {
    if (busy()) {
      // The send in flight drains the session when it ends.
      worker.release(buffer);
      return;
    }
    int bytes = session.drain(worker.address(buffer), worker.bufferBytes());
    if (bytes > 0) {
      client.send(buffer, bytes);
    } else {
      worker.release(buffer);
      flushed();
    }
  }

  @Override
  public void sent(int result) {
    if (connection.sentWhole(result)) {
      int buffer = client.sending().end();
      if (session.undrainedBytes() > 0) {
        drain(buffer);
      } else {
        worker.release(buffer);
        flushed();
      }
    }
  }

  private void flushed() {
    connection.clientFlushed();
    if (waitsForFlush && connection.state() == ConnectionState.RELAYING) {
      waitsForFlush = false;
      client.receive(worker.bufferBytes());
    }
  }

  @Override
  public boolean busy() {
    return client.sendsNow();
  }

  @Override
  public boolean lastWordsGone() {
    if (busy()) {
      return false;
    }
    if (session.undrainedBytes() > 0) {
      int buffer = worker.acquire();
      if (buffer != BufferPool.NONE) {
        drain(buffer);
        return !busy();
      }
    }
    return true;
  }
}
