package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Sockaddr;

/** Connects the app: the address that was asked for, and the fallback when nobody listens there. */
final class AppDialling {

  private final Connection connection;
  private final Worker worker;
  private final Destinations.Destination destination;
  private Sockaddr dialled;
  private boolean inFlight;

  AppDialling(Connection connection, Destinations.Destination destination) {
    this.connection = connection;
    this.destination = destination;
    worker = connection.worker;
  }

  void start() {
    dial(destination.app());
  }

  private void dial(Sockaddr address) {
    dialled = address;
    int fd = worker.sockets().open(address.family());
    if (fd < 0) {
      connection.close(CloseReason.OVERLOAD, "socket: " + Errno.name(-fd));
      return;
    }
    connection.app.open(fd);
    worker.sockets().noDelay(fd);
    long sockaddr = worker.sockaddrOf(connection.slot);
    inFlight = true;
    worker
        .loop()
        .connect(fd, sockaddr, address.write(sockaddr), connection.token(Operation.APP_CONNECT));
  }

  void completed(int result) {
    inFlight = false;
    if (connection.state() == ConnectionState.CLOSING) {
      return;
    }
    if (result == 0) {
      connection.appConnected();
    } else if (result == -Errno.ECONNREFUSED && mayFallBack()) {
      connection.app.close();
      dial(destination.fallback());
    } else {
      connection.close(CloseReason.APP_REFUSED, "connect " + dialled + ": " + Errno.name(-result));
    }
  }

  private boolean mayFallBack() {
    return destination.fallback() != null && !dialled.equals(destination.fallback());
  }

  boolean inFlight() {
    return inFlight;
  }

  void cancel() {
    if (inFlight) {
      worker.loop().cancel(connection.token(Operation.APP_CONNECT));
    }
  }

  /** The dialled address, "-" before. */
  String address() {
    return dialled == null ? "-" : dialled.toString();
  }
}
