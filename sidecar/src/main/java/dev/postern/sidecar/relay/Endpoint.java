package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Sockets;

/**
 * One of a connection's two sockets: at most one receive and one send in flight on it, either of
 * which may be a wait for readiness instead.
 */
final class Endpoint {

  static final int NO_FD = -1;

  /** poll(2): the peer's FIN has come. */
  private static final int POLLRDHUP = 0x2000;

  static final int POLLIN = 1;
  private static final int POLLOUT = 4;

  private final Connection connection;
  private final Worker worker;
  private final Operation receive;
  private final Operation send;
  private final Sending sending = new Sending();
  private int fd;
  private boolean receives;
  private boolean sends;
  private boolean finSent;

  Endpoint(Connection connection, int fd, Operation receive, Operation send) {
    this.connection = connection;
    this.fd = fd;
    this.receive = receive;
    this.send = send;
    worker = connection.worker;
  }

  int fd() {
    return fd;
  }

  boolean isOpen() {
    return fd != NO_FD;
  }

  void open(int newFd) {
    assert fd == NO_FD;
    fd = newFd;
  }

  // ---- in flight

  void receive(int maxBytes) {
    if (!receives) {
      receives = true;
      worker.loop().recv(fd, maxBytes, connection.token(receive));
    }
  }

  /** Completes as a receive when there is something to read. */
  void awaitReadable() {
    await(POLLIN);
  }

  /** Completes as a receive when the peer has ended. */
  void awaitEnd() {
    await(POLLRDHUP);
  }

  private void await(int events) {
    if (!receives) {
      receives = true;
      worker.loop().poll(fd, events, connection.token(receive));
    }
  }

  /** Sends the bytes of a buffer, which stays in hand until {@link Sending#end}. */
  void send(int buffer, int lengthBytes) {
    sending.begin(buffer, lengthBytes);
    sendRest();
  }

  /** Sends what a short send has left. */
  void sendRest() {
    sends = true;
    worker
        .loop()
        .send(
            fd,
            worker.address(sending.buffer()) + sending.offset(),
            sending.leftBytes(),
            connection.token(send));
  }

  /** Completes as a send when the socket takes more. */
  void awaitWritable() {
    if (!sends) {
      sends = true;
      worker.loop().poll(fd, POLLOUT, connection.token(send));
    }
  }

  void receiveCompleted() {
    receives = false;
  }

  void sendCompleted() {
    sends = false;
  }

  boolean receiving() {
    return receives;
  }

  /** A send, or a wait for room, is in flight. */
  boolean sendsNow() {
    return sends;
  }

  boolean busy() {
    return receives || sends;
  }

  Sending sending() {
    return sending;
  }

  void cancel() {
    if (receives) {
      worker.loop().cancel(connection.token(receive));
    }
    if (sends) {
      worker.loop().cancel(connection.token(send));
    }
  }

  // ---- the end

  /** Our FIN, once. */
  void finish() {
    if (!finSent) {
      finSent = true;
      worker.sockets().shutdown(fd, Sockets.SHUT_WR);
    }
  }

  /** The peer must not take the coming close for an end. */
  void resetOnClose() {
    if (fd != NO_FD) {
      finSent = true;
      worker.sockets().resetOnClose(fd);
    }
  }

  /** Nothing may be in flight. */
  void close() {
    assert !busy();
    worker.loop().close(fd);
    fd = NO_FD;
  }
}
