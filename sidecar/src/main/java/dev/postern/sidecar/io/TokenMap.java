package dev.postern.sidecar.io;

import java.util.Arrays;

/**
 * From the tokens in flight to the slots of their operations: open addressing, linear probing.
 *
 * <p>Allocates only when it grows. Belongs to one thread. For backends.
 */
public final class TokenMap {

  /** No such token. */
  public static final int NONE = -1;

  private static final long EMPTY = -1L;
  // 2^64 divided by the golden ratio: spreads tokens that differ in few bits (Knuth, TAOCP 6.4).
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private long[] tokens;
  private int[] slots;
  private int mask;
  private int size;

  public TokenMap(int expected) {
    allocate(Integer.highestOneBit(Math.max(expected, 8)) * 4);
  }

  private void allocate(int capacity) {
    tokens = new long[capacity];
    Arrays.fill(tokens, EMPTY);
    slots = new int[capacity];
    mask = capacity - 1;
  }

  /** Adds a token that is not there yet. */
  public void put(long token, int slot) {
    assert token >= 0 : "token " + token + " is negative";
    if (size * 2 > mask) {
      grow();
    }
    int at = home(token);
    while (tokens[at] != EMPTY) {
      assert tokens[at] != token : "token " + token + " is in flight already";
      at = (at + 1) & mask;
    }
    tokens[at] = token;
    slots[at] = slot;
    size++;
  }

  /** The slot of a token, or {@link #NONE}. */
  public int get(long token) {
    int at = find(token);
    return at < 0 ? NONE : slots[at];
  }

  /** Removes a token; its slot, or {@link #NONE}. */
  public int remove(long token) {
    int at = find(token);
    if (at < 0) {
      return NONE;
    }
    int slot = slots[at];
    closeGap(at);
    size--;
    return slot;
  }

  public int size() {
    return size;
  }

  private int find(long token) {
    for (int at = home(token); tokens[at] != EMPTY; at = (at + 1) & mask) {
      if (tokens[at] == token) {
        return at;
      }
    }
    return NONE;
  }

  /** Moves later entries of the probe chain back, so that no tombstone is needed. */
  private void closeGap(int gap) {
    int hole = gap;
    for (int at = (hole + 1) & mask; tokens[at] != EMPTY; at = (at + 1) & mask) {
      boolean reachableFromHole = ((at - home(tokens[at])) & mask) >= ((at - hole) & mask);
      if (reachableFromHole) {
        tokens[hole] = tokens[at];
        slots[hole] = slots[at];
        hole = at;
      }
    }
    tokens[hole] = EMPTY;
  }

  private int home(long token) {
    return (int) ((token * SPREAD) >>> 32) & mask;
  }

  private void grow() {
    long[] oldTokens = tokens;
    int[] oldSlots = slots;
    allocate(tokens.length * 2);
    size = 0;
    for (int i = 0; i < oldTokens.length; i++) {
      if (oldTokens[i] != EMPTY) {
        put(oldTokens[i], oldSlots[i]);
      }
    }
  }
}
