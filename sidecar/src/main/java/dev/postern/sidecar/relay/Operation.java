package dev.postern.sidecar.relay;

/** What can be in flight; at most one of each on a connection. */
@SuppressWarnings("EnumOrdinal") // The ordinal lives in tokens only as long as the process.
enum Operation {
  ACCEPT,
  CLIENT_PEEK,
  CLIENT_RECV,
  CLIENT_SEND,
  APP_CONNECT,
  APP_RECV,
  APP_SEND;

  private static final Operation[] ALL = values();
  private static final int OPERATION_BITS = 3;
  private static final int SLOT_BITS = 20;

  /** Slots that a token has room for. */
  static final int MAX_SLOTS = 1 << SLOT_BITS;

  private static final long GENERATION_MASK = (1L << (62 - OPERATION_BITS - SLOT_BITS)) - 1;

  /** Not negative; a slot's next connection has another generation, so late completions miss it. */
  long token(int slot, long generation) {
    return (((generation & GENERATION_MASK) << SLOT_BITS) | slot) << OPERATION_BITS | ordinal();
  }

  static Operation of(long token) {
    return ALL[(int) token & ((1 << OPERATION_BITS) - 1)];
  }

  static int slot(long token) {
    return (int) (token >> OPERATION_BITS) & (MAX_SLOTS - 1);
  }

  static boolean ofGeneration(long token, long generation) {
    return token >> (OPERATION_BITS + SLOT_BITS) == (generation & GENERATION_MASK);
  }
}
