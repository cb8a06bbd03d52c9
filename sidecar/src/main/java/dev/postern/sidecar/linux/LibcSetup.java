package dev.postern.sidecar.linux;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's calls that set things up: sockets, descriptors, mappings, limits, CPU sets.
 *
 * <p>One instance belongs to one thread. Each call returns what the man page says, or -errno
 * instead of -1.
 */
public final class LibcSetup {

  private static final NativeLibrary LIBC = NativeLibrary.libc();

  // int socket(int domain, int type, int protocol);
  private static final MethodHandle SOCKET = LIBC.functionWithErrno("socket", 3);
  // int socketpair(int domain, int type, int protocol, int sv[2]);
  private static final MethodHandle SOCKETPAIR = LIBC.functionWithErrno("socketpair", 4);
  // int bind(int sockfd, const struct sockaddr *addr, socklen_t addrlen);
  private static final MethodHandle BIND = LIBC.functionWithErrno("bind", 3);
  // int listen(int sockfd, int backlog);
  private static final MethodHandle LISTEN = LIBC.functionWithErrno("listen", 2);
  // int shutdown(int sockfd, int how);
  private static final MethodHandle SHUTDOWN = LIBC.functionWithErrno("shutdown", 2);
  // int setsockopt(int sockfd, int level, int name, const void *value, socklen_t length);
  private static final MethodHandle SETSOCKOPT = LIBC.functionWithErrno("setsockopt", 5);
  // int getsockopt(int sockfd, int level, int name, void *value, socklen_t *length);
  private static final MethodHandle GETSOCKOPT = LIBC.functionWithErrno("getsockopt", 5);
  // int getsockname(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
  private static final MethodHandle GETSOCKNAME = LIBC.functionWithErrno("getsockname", 3);
  // int getpeername(int sockfd, struct sockaddr *addr, socklen_t *addrlen);
  private static final MethodHandle GETPEERNAME = LIBC.functionWithErrno("getpeername", 3);
  // int epoll_create1(int flags);
  private static final MethodHandle EPOLL_CREATE1 = LIBC.functionWithErrno("epoll_create1", 1);
  // int eventfd(unsigned int initval, int flags);
  private static final MethodHandle EVENTFD = LIBC.functionWithErrno("eventfd", 2);
  // void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
  private static final MethodHandle MMAP = LIBC.functionWithErrno("mmap", 6);
  // int munmap(void *addr, size_t length);
  private static final MethodHandle MUNMAP = LIBC.functionWithErrno("munmap", 2);
  // int madvise(void *addr, size_t length, int advice);
  private static final MethodHandle MADVISE = LIBC.functionWithErrno("madvise", 3);
  // int sched_setaffinity(pid_t pid, size_t cpusetsize, const cpu_set_t *mask);
  private static final MethodHandle SETAFFINITY = LIBC.functionWithErrno("sched_setaffinity", 3);
  // int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *mask);
  private static final MethodHandle GETAFFINITY = LIBC.functionWithErrno("sched_getaffinity", 3);
  // int prctl(int option, ...);
  private static final MethodHandle PRCTL = LIBC.variadicWithErrno("prctl", 5, 1);
  // int getrlimit(int resource, struct rlimit *rlim);
  private static final MethodHandle GETRLIMIT = LIBC.functionWithErrno("getrlimit", 2);
  // int setrlimit(int resource, const struct rlimit *rlim);
  private static final MethodHandle SETRLIMIT = LIBC.functionWithErrno("setrlimit", 2);

  private final MemorySegment state = NativeLibrary.newState();
  private final long errnoAddress = NativeLibrary.errnoAddress(state);

  public int socket(int family, int type, int protocol) {
    return (int) call(SOCKET, family, type, protocol);
  }

  /** Writes two descriptors as int at {@code pair}. */
  public int socketpair(int family, int type, int protocol, long pair) {
    return (int) call(SOCKETPAIR, family, type, protocol, pair);
  }

  public int bind(int fd, long sockaddr, int sockaddrBytes) {
    return (int) call(BIND, fd, sockaddr, sockaddrBytes);
  }

  public int listen(int fd, int backlog) {
    return (int) call(LISTEN, fd, backlog);
  }

  public int shutdown(int fd, int how) {
    return (int) call(SHUTDOWN, fd, how);
  }

  public int setsockopt(int fd, int level, int option, long value, int valueBytes) {
    return (int) call(SETSOCKOPT, fd, level, option, value, valueBytes);
  }

  public int getsockopt(int fd, int level, int option, long value, long valueBytesAddress) {
    return (int) call(GETSOCKOPT, fd, level, option, value, valueBytesAddress);
  }

  public int getsockname(int fd, long sockaddr, long sockaddrBytesAddress) {
    return (int) call(GETSOCKNAME, fd, sockaddr, sockaddrBytesAddress);
  }

  public int getpeername(int fd, long sockaddr, long sockaddrBytesAddress) {
    return (int) call(GETPEERNAME, fd, sockaddr, sockaddrBytesAddress);
  }

  public int epollCreate1(int flags) {
    return (int) call(EPOLL_CREATE1, flags);
  }

  public int eventfd(int initial, int flags) {
    return (int) call(EVENTFD, initial, flags);
  }

  /** The address, or -errno (a number between -4095 and -1, which no mapping has). */
  public long mmap(long address, long lengthBytes, int protection, int flags, int fd, long offset) {
    try {
      long mapped =
          (long)
              MMAP.invokeExact(
                  state, address, lengthBytes, (long) protection, (long) flags, (long) fd, offset);
      return mapped == -1 ? -errno() : mapped;
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  public int munmap(long address, long lengthBytes) {
    return (int) call(MUNMAP, address, lengthBytes);
  }

  public int madvise(long address, long lengthBytes, int advice) {
    return (int) call(MADVISE, address, lengthBytes, advice);
  }

  /** For the calling thread with {@code tid} 0. */
  public int schedSetaffinity(int tid, int maskBytes, long mask) {
    return (int) call(SETAFFINITY, tid, maskBytes, mask);
  }

  /** For the calling thread with {@code tid} 0. */
  public int schedGetaffinity(int tid, int maskBytes, long mask) {
    return (int) call(GETAFFINITY, tid, maskBytes, mask);
  }

  public int prctl(int option, long argument) {
    return (int) call(PRCTL, option, argument, 0, 0, 0);
  }

  public int getrlimit(int resource, long rlimit) {
    return (int) call(GETRLIMIT, resource, rlimit);
  }

  public int setrlimit(int resource, long rlimit) {
    return (int) call(SETRLIMIT, resource, rlimit);
  }

  private long call(MethodHandle function, long a) {
    try {
      return result((long) function.invokeExact(state, a));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  private long call(MethodHandle function, long a, long b) {
    try {
      return result((long) function.invokeExact(state, a, b));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  private long call(MethodHandle function, long a, long b, long c) {
    try {
      return result((long) function.invokeExact(state, a, b, c));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  private long call(MethodHandle function, long a, long b, long c, long d) {
    try {
      return result((long) function.invokeExact(state, a, b, c, d));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  private long call(MethodHandle function, long a, long b, long c, long d, long e) {
    try {
      return result((long) function.invokeExact(state, a, b, c, d, e));
    } catch (Throwable t) {
      throw NativeLibrary.unexpected(t);
    }
  }

  private int result(long returned) {
    int value = (int) returned;
    return value == -1 ? -errno() : value;
  }

  private int errno() {
    return Memory.getInt(errnoAddress);
  }
}
