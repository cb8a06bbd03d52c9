package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntConsumer;

/** Who needs a buffer when all are lent: first come, first served. */
final class BufferWaiters {

  private record Waiter(Connection connection, IntConsumer use) {}

  private final Queue<Waiter> waiters = new ArrayDeque<>();

  void add(Connection connection, IntConsumer use) {
    waiters.add(new Waiter(connection, use));
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  /** Serves as many as there are buffers; a connection that no longer relays needs none. */
  void serve(BufferPool buffers) {
    while (!waiters.isEmpty()) {
      if (waiters.peek().connection().state() != ConnectionState.RELAYING) {
        waiters.remove();
        continue;
      }
      int buffer = buffers.acquire();
      if (buffer == BufferPool.NONE) {
        return;
      }
      waiters.remove().use().accept(buffer);
    }
  }
}
