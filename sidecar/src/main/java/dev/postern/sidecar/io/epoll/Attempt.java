package dev.postern.sidecar.io.epoll;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.Sockets;
import java.lang.foreign.Arena;

/**
 * Tries the operations that take no buffer, each by one non-blocking call. Results are those of the
 * call; -EAGAIN means that an event must come first.
 */
final class Attempt implements AutoCloseable {

  private static final int MSG_DONTWAIT_NOSIGNAL = 0x4040;
  private static final int POLLFD_EVENTS = 4;
  private static final int POLLFD_REVENTS = 6;

  private final Libc libc;
  private final Sockets sockets = new Sockets();
  private final Arena arena = Arena.ofShared();
  private final long pollfd = arena.allocate(8, 8).address();

  Attempt(Libc libc) {
    this.libc = libc;
  }

  int accept(int listenFd) {
    return libc.accept4(listenFd, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
  }

  int send(int fd, long address, int lengthBytes) {
    return libc.send(fd, address, lengthBytes, MSG_DONTWAIT_NOSIGNAL);
  }

  /** The first call of a connect; later ones ask {@link #connected}. */
  int connect(int fd, long sockaddr, int sockaddrBytes) {
    int result = libc.connect(fd, sockaddr, sockaddrBytes);
    return result == -Errno.EINPROGRESS ? -Errno.EAGAIN : result;
  }

  /** How a connect in progress has ended (connect(2), EINPROGRESS). */
  int connected(int fd) {
    int error = sockets.takeError(fd);
    // An event from before the connect says nothing: only a socket with a peer is connected.
    return error == 0 && sockets.remote(fd) == null ? -Errno.EAGAIN : error;
  }

  /** Edges do not tell the level, so poll(2) does; its events, or -EAGAIN for none. */
  int poll(int fd, int events) {
    Memory.putInt(pollfd, fd);
    Memory.putShort(pollfd + POLLFD_EVENTS, (short) events);
    Memory.putShort(pollfd + POLLFD_REVENTS, (short) 0);
    int result = libc.poll(pollfd, 1, 0);
    if (result == 0) {
      return -Errno.EAGAIN;
    }
    return result < 0 ? result : Memory.getShort(pollfd + POLLFD_REVENTS) & 0xffff;
  }

  @Override
  public void close() {
    arena.close();
  }
}
