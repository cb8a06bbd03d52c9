package dev.postern.sidecar.relay;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

/** The connections of one worker by number, each number with room for a {@code sockaddr}. */
final class Slots implements AutoCloseable {

  private final Connection[] connections;
  private final long[] generations;
  private final int[] free;
  private final int sockaddrBytes;
  private final Arena arena = Arena.ofShared();
  private final long sockaddrs;
  private int freeCount;

  Slots(int count, int sockaddrBytes) {
    connections = new Connection[count];
    generations = new long[count];
    free = new int[count];
    this.sockaddrBytes = sockaddrBytes;
    sockaddrs = arena.allocate((long) count * sockaddrBytes, Long.BYTES).address();
    for (int i = count - 1; i >= 0; i--) {
      free[freeCount++] = i;
    }
  }

  /** A free number, or -1. */
  int take() {
    return freeCount == 0 ? -1 : free[--freeCount];
  }

  void put(int slot, Connection connection) {
    assert connections[slot] == null;
    connections[slot] = connection;
  }

  Connection get(int slot) {
    return connections[slot];
  }

  /** Takes the number back; its next connection has another generation. */
  void give(int slot) {
    assert connections[slot] != null;
    connections[slot] = null;
    generations[slot]++;
    free[freeCount++] = slot;
  }

  long generation(int slot) {
    return generations[slot];
  }

  long sockaddr(int slot) {
    return sockaddrs + (long) slot * sockaddrBytes;
  }

  int live() {
    return connections.length - freeCount;
  }

  int capacity() {
    return connections.length;
  }

  Stream<Connection> stream() {
    return Arrays.stream(connections).filter(Objects::nonNull);
  }

  @Override
  public void close() {
    arena.close();
  }
}
