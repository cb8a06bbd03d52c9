package dev.postern.sidecar.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Certificates between DER and OpenSSL. */
public final class X509 {

  private X509() {}

  /** A new X509, to be freed by the caller. */
  public static long parse(byte[] der) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, der);
      MemorySegment cursor = arena.allocate(ValueLayout.JAVA_LONG);
      cursor.set(ValueLayout.JAVA_LONG, 0, bytes.address());
      ErrorQueue.clear();
      long x509 = LibCrypto.d2iX509(0, cursor.address(), der.length);
      if (x509 == 0) {
        throw new IllegalArgumentException("OpenSSL cannot parse it: " + ErrorQueue.take());
      }
      return x509;
    }
  }

  /** The DER form of an X509. */
  public static byte[] encode(long x509) {
    int length = LibCrypto.i2dX509(x509, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(length);
      MemorySegment cursor = arena.allocate(ValueLayout.JAVA_LONG);
      cursor.set(ValueLayout.JAVA_LONG, 0, bytes.address());
      LibCrypto.i2dX509(x509, cursor.address());
      return bytes.toArray(ValueLayout.JAVA_BYTE);
    }
  }
}
