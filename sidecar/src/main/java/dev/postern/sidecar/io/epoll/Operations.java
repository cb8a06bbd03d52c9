package dev.postern.sidecar.io.epoll;

import dev.postern.sidecar.io.TokenMap;
import java.util.Arrays;

/** The operations in flight, as slots of parallel arrays; allocates only when they grow. */
final class Operations {

  static final int NONE = -1;

  /** What an operation is to do. */
  enum Kind {
    ACCEPT,
    RECV,
    SEND,
    CONNECT,
    POLL
  }

  /** Where an operation stands; each but FREE is in exactly one queue or list. */
  enum State {
    FREE,
    /** To be tried in this run or the next. */
    READY,
    /** In its descriptor's list until an event comes. */
    PARKED,
    /** Readable, but no buffer was left. */
    WAITING_BUFFER,
    /** In the ready queue, to end with -ECANCELED. */
    CANCELED
  }

  private final TokenMap byToken;
  private int firstFree = NONE;

  Kind[] kind = {};
  State[] state = {};
  long[] token = {};
  int[] fd = {};
  long[] address = {};
  // Bytes; for POLL the events.
  int[] length = {};
  // True once connect(2) has been called.
  boolean[] started = {};
  // Links of the list that the slot is in: a descriptor's or the free ones.
  int[] next = {};
  int[] previous = {};

  Operations(int expected) {
    byToken = new TokenMap(expected);
    grow(expected);
  }

  int add(Kind newKind, int newFd, long newAddress, int newLength, long newToken) {
    if (firstFree == NONE) {
      grow(token.length * 2);
    }
    int slot = firstFree;
    firstFree = next[slot];
    byToken.put(newToken, slot);
    kind[slot] = newKind;
    state[slot] = State.READY;
    token[slot] = newToken;
    fd[slot] = newFd;
    address[slot] = newAddress;
    length[slot] = newLength;
    started[slot] = false;
    next[slot] = NONE;
    previous[slot] = NONE;
    return slot;
  }

  /** Ends an operation; its token may be used again. */
  void free(int slot) {
    assert state[slot] != State.FREE;
    byToken.remove(token[slot]);
    state[slot] = State.FREE;
    next[slot] = firstFree;
    firstFree = slot;
  }

  int find(long wanted) {
    return byToken.get(wanted);
  }

  /** For assertions: looks at every slot. */
  boolean anyOn(int wantedFd) {
    for (int slot = 0; slot < token.length; slot++) {
      if (state[slot] != State.FREE && fd[slot] == wantedFd) {
        return true;
      }
    }
    return false;
  }

  private void grow(int capacity) {
    int old = token.length;
    kind = Arrays.copyOf(kind, capacity);
    state = Arrays.copyOf(state, capacity);
    token = Arrays.copyOf(token, capacity);
    fd = Arrays.copyOf(fd, capacity);
    address = Arrays.copyOf(address, capacity);
    length = Arrays.copyOf(length, capacity);
    started = Arrays.copyOf(started, capacity);
    next = Arrays.copyOf(next, capacity);
    previous = Arrays.copyOf(previous, capacity);
    for (int slot = capacity - 1; slot >= old; slot--) {
      state[slot] = State.FREE;
      next[slot] = firstFree;
      firstFree = slot;
    }
  }
}
