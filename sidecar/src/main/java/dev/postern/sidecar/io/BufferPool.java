package dev.postern.sidecar.io;

/**
 * Off-heap buffers of one worker, all of one size; the pool is their only owner.
 *
 * <p>A buffer is lent by number, by {@link #acquire()} or with a receive completion, and comes back
 * by {@link #release(int)}, exactly once. Numbers are reused last in, first out, so that an idle
 * worker touches few pages.
 */
public interface BufferPool {

  /** The number that stands for "no buffer". */
  int NONE = -1;

  /**
   * Lends a buffer; {@link #NONE} when all are lent or, up to a quarter of them, lie ready in the
   * kernel for receives.
   */
  int acquire();

  /** Takes a buffer back; no operation on it may be in flight. */
  void release(int buffer);

  /** Native address of the buffer's first byte. */
  long address(int buffer);

  /** Size of each buffer in bytes. */
  int sizeBytes();

  /** How many buffers are lent now. */
  int lent();
}
