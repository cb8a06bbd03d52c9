package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;

/**
 * The one send that a direction may have in flight: its buffer and how much of it has gone.
 *
 * <p>A second send on the same socket could overtake the rest of a short one.
 */
final class Sending {

  private int buffer = BufferPool.NONE;
  private int sentBytes;
  private int lengthBytes;

  boolean busy() {
    return buffer != BufferPool.NONE;
  }

  void begin(int buffer, int lengthBytes) {
    assert !busy() && lengthBytes > 0;
    this.buffer = buffer;
    this.lengthBytes = lengthBytes;
    sentBytes = 0;
  }

  /** More bytes in the same buffer, all earlier ones having gone. */
  void again(int lengthBytes) {
    assert busy() && leftBytes() == 0 && lengthBytes > 0;
    this.lengthBytes = lengthBytes;
    sentBytes = 0;
  }

  void sent(int bytes) {
    assert bytes <= leftBytes();
    sentBytes += bytes;
  }

  int buffer() {
    return buffer;
  }

  int offset() {
    return sentBytes;
  }

  int leftBytes() {
    return lengthBytes - sentBytes;
  }

  /** Gives the buffer out of hand; the caller releases it or uses it on. */
  int end() {
    int ended = buffer;
    buffer = BufferPool.NONE;
    return ended;
  }
}
