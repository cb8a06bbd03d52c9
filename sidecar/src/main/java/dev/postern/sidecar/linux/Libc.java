package dev.postern.sidecar.linux;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's calls that move bytes; {@link LibcSetup} has those that are made once.
 *
 * <p>One instance belongs to one thread: it holds the room for that thread's errno. Each call
 * returns what the man page says, or -errno instead of -1.
 */
public final class Libc {

  private static final NativeLibrary LIBC = NativeLibrary.libc();

  // ssize_t recv(int sockfd, void *buf, size_t len, int flags);
  private static final MethodHandle RECV = LIBC.functionWithErrno("recv", 4);
  // ssize_t send(int sockfd, const void *buf, size_t len, int flags);
  private static final MethodHandle SEND = LIBC.functionWithErrno("send", 4);
  // ssize_t recvmsg(int sockfd, struct msghdr *msg, int flags);
  private static final MethodHandle RECVMSG = LIBC.functionWithErrno("recvmsg", 3);
  // ssize_t sendmsg(int sockfd, const struct msghdr *msg, int flags);
  private static final MethodHandle SENDMSG = LIBC.functionWithErrno("sendmsg", 3);
  // int accept4(int sockfd, struct sockaddr *addr, socklen_t *addrlen, int flags);
  private static final MethodHandle ACCEPT4 = LIBC.functionWithErrno("accept4", 4);
  // int connect(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
  private static final MethodHandle CONNECT = LIBC.functionWithErrno("connect", 3);
  // int close(int fd);
  private static final MethodHandle CLOSE = LIBC.functionWithErrno("close", 1);
  // int poll(struct pollfd *fds, nfds_t nfds, int timeout);
  private static final MethodHandle POLL = LIBC.functionWithErrno("poll", 3);
  // int epoll_ctl(int epfd, int op, int fd, struct epoll_event *event);
  private static final MethodHandle EPOLL_CTL = LIBC.functionWithErrno("epoll_ctl", 4);
  // int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout);
  private static final MethodHandle EPOLL_WAIT = LIBC.functionWithErrno("epoll_wait", 4);
  // int eventfd_write(int fd, eventfd_t value);
  private static final MethodHandle EVENTFD_WRITE = LIBC.function("eventfd_write", 2);

  private final MemorySegment state = NativeLibrary.newState();
  private final long errnoAddress = NativeLibrary.errnoAddress(state);

  /** recv(2). */
  public int recv(int fd, long address, int lengthBytes, int flags) {
    try {
      return result(
          (long) RECV.invokeExact(state, (long) fd, address, (long) lengthBytes, (long) flags));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** send(2). */
  public int send(int fd, long address, int lengthBytes, int flags) {
    try {
      return result(
          (long) SEND.invokeExact(state, (long) fd, address, (long) lengthBytes, (long) flags));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** recvmsg(2). */
  public int recvmsg(int fd, long header, int flags) {
    try {
      return result((long) RECVMSG.invokeExact(state, (long) fd, header, (long) flags));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** sendmsg(2). */
  public int sendmsg(int fd, long header, int flags) {
    try {
      return result((long) SENDMSG.invokeExact(state, (long) fd, header, (long) flags));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** accept4(2) without the peer's address. */
  public int accept4(int fd, int flags) {
    try {
      return result((long) ACCEPT4.invokeExact(state, (long) fd, 0L, 0L, (long) flags));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** connect(2). */
  public int connect(int fd, long sockaddr, int sockaddrBytes) {
    try {
      return result((long) CONNECT.invokeExact(state, (long) fd, sockaddr, (long) sockaddrBytes));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** close(2). */
  public int close(int fd) {
    try {
      return result((long) CLOSE.invokeExact(state, (long) fd));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** poll(2) on {@code count} struct pollfd. */
  public int poll(long pollfds, int count, int timeoutMs) {
    try {
      return result((long) POLL.invokeExact(state, pollfds, (long) count, (long) timeoutMs));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** epoll_ctl(2). */
  public int epollCtl(int epollFd, int operation, int fd, long event) {
    try {
      return result(
          (long) EPOLL_CTL.invokeExact(state, (long) epollFd, (long) operation, (long) fd, event));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** epoll_wait(2). */
  public int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
    try {
      return result(
          (long)
              EPOLL_WAIT.invokeExact(
                  state, (long) epollFd, events, (long) maxEvents, (long) timeoutMs));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  /** eventfd_write(3); of all calls the one that any thread may make. Returns 0 or -1. */
  public static int eventfdWrite(int fd, long value) {
    try {
      return (int) (long) EVENTFD_WRITE.invokeExact((long) fd, value);
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  private int result(long returned) {
    int value = (int) returned;
    return value == -1 ? -Memory.getInt(errnoAddress) : value;
  }
}
