package dev.postern.sidecar.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;

/**
 * What a worker does to its TCP sockets besides moving bytes. Belongs to one thread.
 *
 * <p>Integer results are a descriptor or 0, or -errno.
 */
public final class Sockets {

  public static final int SHUT_RD = 0;
  public static final int SHUT_WR = 1;
  public static final int SHUT_RDWR = 2;
  public static final int SOCK_STREAM = 1;
  public static final int SOCK_NONBLOCK = 0x800;
  public static final int SOCK_CLOEXEC = 0x80000;

  public static final int SOL_IP = 0;
  public static final int SOL_SOCKET = 1;
  public static final int IPPROTO_TCP = 6;
  public static final int SOL_IPV6 = 41;
  public static final int SO_REUSEADDR = 2;
  public static final int SO_ERROR = 4;
  public static final int SO_SNDBUF = 7;
  public static final int SO_RCVBUF = 8;
  public static final int SO_KEEPALIVE = 9;
  public static final int SO_LINGER = 13;
  public static final int SO_REUSEPORT = 15;
  public static final int IPV6_V6ONLY = 26;
  public static final int TCP_NODELAY = 1;
  public static final int TCP_NOTSENT_LOWAT = 25;

  /** linux/netfilter_ipv4.h; IP6T_SO_ORIGINAL_DST has the same number. */
  public static final int SO_ORIGINAL_DST = 80;

  private static final int MSG_PEEK = 0x2;
  private static final int MSG_DONTWAIT = 0x40;

  private final LibcSetup libc = new LibcSetup();
  private final Libc hot = new Libc();
  // Kept as a segment, since an automatic arena lives as long as its segment is reachable.
  private final MemorySegment scratch = Arena.ofAuto().allocate(Sockaddr.STORAGE_BYTES + 8, 8);
  private final long value = scratch.address();
  private final long length = value + Sockaddr.STORAGE_BYTES;

  /** A listening socket, non-blocking; on {@code [::]} it takes IPv4 too. */
  public int listen(Sockaddr at, int backlog, boolean reusePort) {
    int fd = open(at.family());
    if (fd < 0) {
      return fd;
    }
    int result = set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (result == 0 && reusePort) {
      result = set(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    }
    if (result == 0 && at.family() == Sockaddr.AF_INET6) {
      result = set(fd, SOL_IPV6, IPV6_V6ONLY, 0);
    }
    if (result == 0) {
      result = libc.bind(fd, value, at.write(value));
    }
    if (result == 0) {
      result = libc.listen(fd, backlog);
    }
    return result == 0 ? fd : closed(fd, result);
  }

  private int closed(int fd, int result) {
    hot.close(fd);
    return result;
  }

  /** A TCP socket, non-blocking and close-on-exec, fit for {@code CompletionLoop.connect}. */
  public int open(int family) {
    return libc.socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  }

  /** Sets an option whose value is an int. */
  public int set(int fd, int level, int option, int number) {
    Memory.putInt(value, number);
    return libc.setsockopt(fd, level, option, value, Integer.BYTES);
  }

  /** Sends small segments at once: a relay never waits for more. */
  public int noDelay(int fd) {
    return set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  }

  /** Makes the coming close a reset (SO_LINGER with 0 seconds, socket(7)). */
  public int resetOnClose(int fd) {
    Memory.putInt(value, 1);
    Memory.putInt(value + 4, 0);
    return libc.setsockopt(fd, SOL_SOCKET, SO_LINGER, value, 2 * Integer.BYTES);
  }

  /** shutdown(2) with one of the SHUT constants. */
  public int shutdown(int fd, int how) {
    return libc.shutdown(fd, how);
  }

  /** The next byte, which stays: 1 and {@link #peeked()}; 0 at the peer's FIN; or -errno. */
  public int peek(int fd) {
    return hot.recv(fd, value, 1, MSG_PEEK | MSG_DONTWAIT);
  }

  /** What {@link #peek} saw. */
  public byte peeked() {
    return Memory.getByte(value);
  }

  /** Takes the socket's pending error: 0, or -errno. */
  public int takeError(int fd) {
    Memory.putInt(length, Integer.BYTES);
    int result = libc.getsockopt(fd, SOL_SOCKET, SO_ERROR, value, length);
    return result < 0 ? result : -Memory.getInt(value);
  }

  /** Our end; null when the socket is gone. */
  public Sockaddr local(int fd) {
    Memory.putInt(length, Sockaddr.STORAGE_BYTES);
    return libc.getsockname(fd, value, length) < 0 ? null : Sockaddr.read(value);
  }

  /** The peer's end; null when the socket is not connected. */
  public Sockaddr remote(int fd) {
    Memory.putInt(length, Sockaddr.STORAGE_BYTES);
    return libc.getpeername(fd, value, length) < 0 ? null : Sockaddr.read(value);
  }

  /**
   * Where the client wanted to go before nftables redirected it; null when the kernel knows none
   * (ENOENT: not redirected, ENOPROTOOPT: no connection tracking).
   */
  public Sockaddr originalDestination(int fd) {
    Sockaddr local = local(fd);
    if (local == null) {
      return null;
    }
    // A mapped IPv4 connection on an IPv6 socket is tracked as IPv4.
    int level = local.address() instanceof Inet4Address ? SOL_IP : SOL_IPV6;
    Memory.putInt(length, Sockaddr.STORAGE_BYTES);
    int result = libc.getsockopt(fd, level, SO_ORIGINAL_DST, value, length);
    return result < 0 ? null : Sockaddr.read(value);
  }
}
