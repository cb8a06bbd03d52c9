package dev.postern.sidecar.linux;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * An IPv4 or IPv6 address with its port, and its form as {@code struct sockaddr_in} (ip(7)) or
 * {@code struct sockaddr_in6} (ipv6(7)).
 *
 * <p>An IPv4-mapped IPv6 address read from the kernel is an IPv4 address here.
 */
public record Sockaddr(InetAddress address, int port) {

  public static final int AF_INET = 2;
  public static final int AF_INET6 = 10;

  /** Room for any address: sizeof(struct sockaddr_storage). */
  public static final int STORAGE_BYTES = 128;

  private static final int IN_BYTES = 16;
  private static final int IN_ADDRESS = 4;
  private static final int IN6_BYTES = 28;
  private static final int IN6_FLOWINFO = 4;
  private static final int IN6_ADDRESS = 8;
  private static final int IN6_SCOPE = 24;

  public Sockaddr {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port " + port + " is not between 0 and 65535");
    }
  }

  /** From an IPv4 or IPv6 literal; never asks DNS. */
  public static Sockaddr of(String literal, int port) {
    return new Sockaddr(InetAddress.ofLiteral(literal), port);
  }

  /** AF_INET or AF_INET6. */
  public int family() {
    return address instanceof Inet4Address ? AF_INET : AF_INET6;
  }

  /** Writes the struct, at most {@link #STORAGE_BYTES}; returns its size in bytes. */
  public int write(long at) {
    Memory.putShort(at, (short) family());
    Memory.putByte(at + 2, (byte) (port >> 8));
    Memory.putByte(at + 3, (byte) port);
    byte[] raw = address.getAddress();
    if (address instanceof Inet6Address ipv6) {
      Memory.putInt(at + IN6_FLOWINFO, 0);
      Memory.copyIn(raw, 0, at + IN6_ADDRESS, raw.length);
      Memory.putInt(at + IN6_SCOPE, ipv6.getScopeId());
      return IN6_BYTES;
    }
    Memory.copyIn(raw, 0, at + IN_ADDRESS, raw.length);
    Memory.putLong(at + 8, 0);
    return IN_BYTES;
  }

  /** Reads the struct that the kernel has written; null for a family other than IPv4 and IPv6. */
  public static Sockaddr read(long at) {
    int port = (Memory.getByte(at + 2) & 0xff) << 8 | (Memory.getByte(at + 3) & 0xff);
    return switch (Memory.getShort(at)) {
      case AF_INET -> new Sockaddr(address(at + IN_ADDRESS, 4, 0), port);
      case AF_INET6 ->
          new Sockaddr(address(at + IN6_ADDRESS, 16, Memory.getInt(at + IN6_SCOPE)), port);
      default -> null;
    };
  }

  private static InetAddress address(long at, int lengthBytes, int scope) {
    byte[] raw = new byte[lengthBytes];
    Memory.copyOut(at, raw, 0, lengthBytes);
    try {
      InetAddress plain = InetAddress.getByAddress(raw);
      return plain instanceof Inet6Address && scope != 0
          ? Inet6Address.getByAddress(null, raw, scope)
          : plain;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("the length of an address was wrong: " + lengthBytes, e);
    }
  }

  /** {@code 10.0.0.1:8080} or {@code [fd00::1]:8080}. */
  @Override
  public String toString() {
    String host = address.getHostAddress();
    return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
  }
}
