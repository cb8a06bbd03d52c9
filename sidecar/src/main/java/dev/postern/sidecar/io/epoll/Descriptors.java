package dev.postern.sidecar.io.epoll;

import java.util.Arrays;

/**
 * What is known of each descriptor, by its number: readiness, registration, parked operations.
 *
 * <p>Readiness is optimistic: a descriptor is taken for ready until a call says EAGAIN, and again
 * after each event.
 */
final class Descriptors {

  static final int READABLE = 1;
  static final int WRITABLE = 2;

  /** The end of the stream or an error was announced: there is no later edge to wait for. */
  static final int ENDED = 4;

  /** Urgent data was announced: recv(2) stops short at its mark with more behind it. */
  static final int URGENT = 8;

  static final int REGISTERED = 16;

  /** The kernel's TLS: recv(2) stops short at each change of the record type. */
  static final int RECORDS = 32;

  /** Any of these: a short receive does not mean that nothing is left. */
  static final int UNDRAINABLE = ENDED | URGENT | RECORDS;

  private static final byte FRESH = READABLE | WRITABLE;

  private final Operations operations;
  private byte[] bits;
  private int[] generation;
  private int[] parked;

  Descriptors(Operations operations, int expected) {
    this.operations = operations;
    bits = new byte[0];
    generation = new int[0];
    parked = new int[0];
    grow(expected);
  }

  /** Makes room for a descriptor that is named for the first time. */
  void ensure(int fd) {
    if (fd >= bits.length) {
      grow(Math.max(fd + 1, bits.length * 2));
    }
  }

  boolean has(int fd, int bit) {
    return (bits[fd] & bit) != 0;
  }

  void set(int fd, int mask) {
    bits[fd] |= (byte) mask;
  }

  void clear(int fd, int mask) {
    bits[fd] &= (byte) ~mask;
  }

  /** A call did less than asked for: the next must wait, if an event can end that wait. */
  void drained(int fd, int mask) {
    if (has(fd, REGISTERED)) {
      clear(fd, mask);
    }
  }

  /** Changes with each close, so that an event of the descriptor before is known. */
  int generation(int fd) {
    return generation[fd];
  }

  /** First of the operations that wait for an event, linked by {@link Operations#next}. */
  int firstParked(int fd) {
    return parked[fd];
  }

  void park(int slot) {
    int fd = operations.fd[slot];
    int first = parked[fd];
    operations.next[slot] = first;
    operations.previous[slot] = Operations.NONE;
    if (first != Operations.NONE) {
      operations.previous[first] = slot;
    }
    parked[fd] = slot;
    operations.state[slot] = Operations.State.PARKED;
  }

  void unpark(int slot) {
    int before = operations.previous[slot];
    int after = operations.next[slot];
    if (before == Operations.NONE) {
      parked[operations.fd[slot]] = after;
    } else {
      operations.next[before] = after;
    }
    if (after != Operations.NONE) {
      operations.previous[after] = before;
    }
  }

  /** Forgets a descriptor that is being closed; the number may come back at once. */
  void forget(int fd) {
    assert !operations.anyOn(fd) : "descriptor " + fd + " is closed with work in flight";
    bits[fd] = FRESH;
    generation[fd]++;
  }

  private void grow(int capacity) {
    int old = bits.length;
    bits = Arrays.copyOf(bits, capacity);
    generation = Arrays.copyOf(generation, capacity);
    parked = Arrays.copyOf(parked, capacity);
    Arrays.fill(bits, old, capacity, FRESH);
    Arrays.fill(parked, old, capacity, Operations.NONE);
  }
}
