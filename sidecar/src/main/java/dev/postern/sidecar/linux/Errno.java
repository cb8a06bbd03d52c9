package dev.postern.sidecar.linux;

/**
 * Error numbers of Linux's generic ABI (asm-generic/errno.h; the same on x86-64 and arm64), not
 * negated.
 */
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int EPIPE = 32;
  public static final int ENOSYS = 38;
  public static final int ETIME = 62;
  public static final int EBADMSG = 74;
  public static final int EMSGSIZE = 90;
  public static final int ENOPROTOOPT = 92;
  public static final int EOPNOTSUPP = 95;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETUNREACH = 101;
  public static final int ECONNABORTED = 103;
  public static final int ECONNRESET = 104;
  public static final int ENOBUFS = 105;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTUNREACH = 113;
  public static final int EALREADY = 114;
  public static final int EINPROGRESS = 115;
  public static final int ECANCELED = 125;
  public static final int EKEYEXPIRED = 127;

  private Errno() {}

  /** The symbolic name, or {@code errno N} for those that the data plane never names. */
  public static String name(int errno) {
    return switch (errno) {
      case EPERM -> "EPERM";
      case ENOENT -> "ENOENT";
      case EINTR -> "EINTR";
      case EIO -> "EIO";
      case EBADF -> "EBADF";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EACCES -> "EACCES";
      case EFAULT -> "EFAULT";
      case EBUSY -> "EBUSY";
      case EEXIST -> "EEXIST";
      case EINVAL -> "EINVAL";
      case ENFILE -> "ENFILE";
      case EMFILE -> "EMFILE";
      case EPIPE -> "EPIPE";
      case ENOSYS -> "ENOSYS";
      case ETIME -> "ETIME";
      case EBADMSG -> "EBADMSG";
      case ENOPROTOOPT -> "ENOPROTOOPT";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case EAFNOSUPPORT -> "EAFNOSUPPORT";
      case EADDRINUSE -> "EADDRINUSE";
      case EADDRNOTAVAIL -> "EADDRNOTAVAIL";
      case ENETUNREACH -> "ENETUNREACH";
      case ECONNABORTED -> "ECONNABORTED";
      case ECONNRESET -> "ECONNRESET";
      case ENOBUFS -> "ENOBUFS";
      case ENOTCONN -> "ENOTCONN";
      case ETIMEDOUT -> "ETIMEDOUT";
      case ECONNREFUSED -> "ECONNREFUSED";
      case EHOSTUNREACH -> "EHOSTUNREACH";
      case EALREADY -> "EALREADY";
      case EINPROGRESS -> "EINPROGRESS";
      case ECANCELED -> "ECANCELED";
      case EKEYEXPIRED -> "EKEYEXPIRED";
      default -> "errno " + errno;
    };
  }
}
