package dev.postern.sidecar.openssl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory that OpenSSL points to. */
public final class NativeMemory {

  /** The whole address space: a read at an address allocates no segment. */
  @SuppressWarnings("restricted")
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NativeMemory() {}

  /** A NUL-terminated string; "" for a null pointer. */
  public static String string(long address) {
    return address == 0 ? "" : ALL.getString(address);
  }

  /** A copy of bytes. */
  public static byte[] bytes(long address, int lengthBytes) {
    byte[] copy = new byte[lengthBytes];
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, copy, 0, lengthBytes);
    return copy;
  }

  public static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }
}
