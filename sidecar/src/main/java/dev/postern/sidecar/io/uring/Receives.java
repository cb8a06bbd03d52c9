package dev.postern.sidecar.io.uring;

import dev.postern.sidecar.io.IntQueue;
import dev.postern.sidecar.io.TokenMap;
import java.util.Arrays;

/**
 * The receives in flight: what is needed to arm one again after the kernel had no buffer for it.
 *
 * <p>Allocates only when it grows.
 */
final class Receives {

  static final int NONE = -1;

  /** Where a receive stands. */
  enum State {
    FREE,
    /** In the kernel. */
    ARMED,
    /** In the kernel, and a cancel is on its way to it. */
    CANCELING,
    /** Had no buffer; waits here for one. */
    WAITING,
    /** Was canceled while it waited here. */
    CANCELED
  }

  private final TokenMap byToken;
  private final IntQueue waiting;
  private final IntQueue canceled;
  private State[] state = {};
  private long[] token = {};
  private int[] fd = {};
  private int[] maxBytes = {};
  private int[] next = {};
  private int firstFree = NONE;

  Receives(int expected) {
    byToken = new TokenMap(expected);
    waiting = new IntQueue(expected);
    canceled = new IntQueue(expected);
    grow(expected);
  }

  void add(int newFd, int newMaxBytes, long newToken) {
    if (firstFree == NONE) {
      grow(token.length * 2);
    }
    int slot = firstFree;
    firstFree = next[slot];
    byToken.put(newToken, slot);
    state[slot] = State.ARMED;
    token[slot] = newToken;
    fd[slot] = newFd;
    maxBytes[slot] = newMaxBytes;
  }

  int find(long wanted) {
    return byToken.get(wanted);
  }

  long token(int slot) {
    return token[slot];
  }

  int fd(int slot) {
    return fd[slot];
  }

  int maxBytes(int slot) {
    return maxBytes[slot];
  }

  /** Ends a receive; its token may be used again. */
  void free(int slot) {
    byToken.remove(token[slot]);
    state[slot] = State.FREE;
    next[slot] = firstFree;
    firstFree = slot;
  }

  /** There was no buffer. False: it was to be canceled and ends so. */
  boolean mayWait(int slot) {
    if (state[slot] == State.CANCELING) {
      return false;
    }
    state[slot] = State.WAITING;
    waiting.add(slot);
    return true;
  }

  /** Takes the longest waiting receive to be armed again, or {@link #NONE}. */
  int rearm() {
    if (waiting.isEmpty()) {
      return NONE;
    }
    int slot = waiting.take();
    state[slot] = State.ARMED;
    return slot;
  }

  /** True when the kernel has to be asked to cancel. */
  boolean cancel(int slot) {
    return switch (state[slot]) {
      case ARMED -> {
        state[slot] = State.CANCELING;
        yield true;
      }
      case WAITING -> {
        waiting.remove(slot);
        state[slot] = State.CANCELED;
        canceled.add(slot);
        yield false;
      }
      case FREE, CANCELING, CANCELED -> false;
    };
  }

  /** Takes a receive that was canceled here, or {@link #NONE}. */
  int takeCanceled() {
    return canceled.isEmpty() ? NONE : canceled.take();
  }

  boolean anyCanceled() {
    return !canceled.isEmpty();
  }

  private void grow(int capacity) {
    int old = token.length;
    state = Arrays.copyOf(state, capacity);
    token = Arrays.copyOf(token, capacity);
    fd = Arrays.copyOf(fd, capacity);
    maxBytes = Arrays.copyOf(maxBytes, capacity);
    next = Arrays.copyOf(next, capacity);
    for (int slot = capacity - 1; slot >= old; slot--) {
      state[slot] = State.FREE;
      next[slot] = firstFree;
      firstFree = slot;
    }
  }
}
