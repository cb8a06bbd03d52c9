package dev.postern.sidecar.io;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.LibcSetup;
import java.util.BitSet;

/**
 * Buffers in one anonymous mapping whose pages the kernel gives when they are first touched.
 *
 * <p>Belongs to one thread. For backends, not for the code above them.
 */
public final class MappedBufferPool implements BufferPool, AutoCloseable {

  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022;
  private static final int MADV_NOHUGEPAGE = 15;

  private final LibcSetup libc = new LibcSetup();
  private final int sizeBytes;
  private final long lengthBytes;
  private final long base;
  private final int[] free;
  private int freeCount;
  private int set;
  private final BitSet out;

  /**
   * Maps the region.
   *
   * @throws IllegalStateException when the kernel gives no address space
   */
  public MappedBufferPool(int sizeBytes, int count) {
    this.sizeBytes = sizeBytes;
    this.lengthBytes = (long) sizeBytes * count;
    this.base = libc.mmap(0, lengthBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0);
    if (base < 0) {
      throw new IllegalStateException(
          "cannot map " + lengthBytes + " bytes of buffers: " + Errno.name((int) -base));
    }
    // One touched buffer must not bring 2 MiB into a pod of 64. Refused where there are none.
    libc.madvise(base, lengthBytes, MADV_NOHUGEPAGE);
    this.free = new int[count];
    this.freeCount = count;
    this.out = new BitSet(count);
    for (int i = 0; i < count; i++) {
      free[i] = count - 1 - i;
    }
  }

  @Override
  public int acquire() {
    return freeCount == 0 ? NONE : take();
  }

  private int take() {
    int buffer = free[--freeCount];
    out.set(buffer);
    return buffer;
  }

  @Override
  public void release(int buffer) {
    assert out.get(buffer) : "buffer " + buffer + " is not lent";
    out.clear(buffer);
    free[freeCount++] = buffer;
  }

  /** Takes a buffer that lies ready in the kernel, lent to nobody yet. */
  public int setAside() {
    int buffer = acquire();
    set += buffer == NONE ? 0 : 1;
    return buffer;
  }

  /** A buffer of {@link #setAside} has been filled and is now lent. */
  public void lend(int buffer) {
    assert out.get(buffer) : "buffer " + buffer + " was not set aside";
    set--;
  }

  /** How many buffers could be acquired now. */
  public int available() {
    return freeCount;
  }

  @Override
  public long address(int buffer) {
    assert out.get(buffer) : "buffer " + buffer + " is not lent";
    return base + (long) buffer * sizeBytes;
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public int lent() {
    return free.length - freeCount - set;
  }

  /** Unmaps the region: no operation on it may be in flight. */
  @Override
  public void close() {
    libc.munmap(base, lengthBytes);
  }
}
