package dev.postern.sidecar.io.uring;

import static dev.postern.sidecar.linux.Memory.putInt;
import static dev.postern.sidecar.linux.Memory.putLong;
import static dev.postern.sidecar.linux.Memory.putShort;
import static dev.postern.sidecar.linux.Memory.putShortRelease;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.io.MappedBufferPool;
import java.lang.foreign.Arena;

/**
 * The ring of buffers that lie ready in the kernel (io_uring_register_buf_ring(3)), group 0.
 *
 * <p>Kept small: the kernel takes them in turn, so each of them gets touched.
 */
final class ProvidedBuffers implements AutoCloseable {

  private static final int PAGE_BYTES = 4096;

  private final Arena arena = Arena.ofShared();
  private final MappedBufferPool pool;
  private final long ring;
  private final int mask;
  private final int target;
  private short tail;
  private int provided;

  ProvidedBuffers(Ring owner, MappedBufferPool pool, int entries, int target) {
    this.pool = pool;
    this.mask = entries - 1;
    this.target = target;
    ring = arena.allocate((long) entries * Layout.BUF_BYTES, PAGE_BYTES).address();
    int result = register(owner, entries);
    if (result < 0) {
      arena.close();
      throw new RingSetupException("io_uring_register_buf_ring", -result);
    }
  }

  private int register(Ring owner, int entries) {
    try (Arena scratch = Arena.ofConfined()) {
      long registration = scratch.allocate(Layout.BUF_REG_BYTES, 8).address();
      putLong(registration + Layout.BUF_REG_RING_ADDR, ring);
      putInt(registration + Layout.BUF_REG_RING_ENTRIES, entries);
      return Liburing.registerBufRing(owner.address(), registration);
    }
  }

  /** Fills up from the pool as far as that has buffers; how many lie ready. */
  int refill() {
    short before = tail;
    while (provided < target) {
      int buffer = pool.setAside();
      if (buffer == BufferPool.NONE) {
        break;
      }
      add(buffer);
    }
    if (tail != before) {
      putShortRelease(ring + Layout.BUF_RING_TAIL, tail);
    }
    return provided;
  }

  private void add(int buffer) {
    long entry = ring + (long) (tail & mask) * Layout.BUF_BYTES;
    // Field by field: the ring's tail lies in the first entry's last two bytes.
    putLong(entry + Layout.BUF_ADDR, pool.address(buffer));
    putInt(entry + Layout.BUF_LEN, pool.sizeBytes());
    putShort(entry + Layout.BUF_BID, (short) buffer);
    tail++;
    provided++;
  }

  /** The kernel has taken a buffer for a completion. */
  void taken(int buffer) {
    provided--;
    pool.lend(buffer);
  }

  @Override
  public void close() {
    arena.close();
  }
}
