package dev.postern.sidecar.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Native memory by absolute address, without a segment per access.
 *
 * <p>Nothing is checked: whoever hands an address in owns the memory behind it. 2, 4 and 8 byte
 * accesses must be aligned and are in native byte order.
 */
public final class Memory {

  private static final MemorySegment ALL = everything();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();

  private Memory() {}

  @SuppressWarnings("restricted")
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  public static byte getByte(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address);
  }

  public static void putByte(long address, byte value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, value);
  }

  public static short getShort(long address) {
    return ALL.get(ValueLayout.JAVA_SHORT, address);
  }

  public static void putShort(long address, short value) {
    ALL.set(ValueLayout.JAVA_SHORT, address, value);
  }

  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT, address);
  }

  public static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT, address, value);
  }

  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG, address);
  }

  public static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG, address, value);
  }

  /** Reads an index that another thread or the kernel publishes. */
  public static int getIntAcquire(long address) {
    return (int) INT.getAcquire(ALL, address);
  }

  /** Publishes an index after everything written before it. */
  public static void putIntRelease(long address, int value) {
    INT.setRelease(ALL, address, value);
  }

  /** Publishes a 16-bit index after everything written before it. */
  public static void putShortRelease(long address, short value) {
    SHORT.setRelease(ALL, address, value);
  }

  /** Copies {@code lengthBytes} from a Java array to native memory. */
  public static void copyIn(byte[] from, int offset, long to, int lengthBytes) {
    MemorySegment.copy(from, offset, ALL, ValueLayout.JAVA_BYTE, to, lengthBytes);
  }

  /** Copies {@code lengthBytes} from native memory to a Java array. */
  public static void copyOut(long from, byte[] to, int offset, int lengthBytes) {
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from, to, offset, lengthBytes);
  }

  /** Copies between two native ranges; they may overlap. */
  public static void copy(long from, long to, long lengthBytes) {
    MemorySegment.copy(ALL, from, ALL, to, lengthBytes);
  }
}
