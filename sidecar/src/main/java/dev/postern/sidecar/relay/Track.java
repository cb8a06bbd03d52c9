package dev.postern.sidecar.relay;

import java.util.EnumMap;
import java.util.Map;

/** What one worker counts of the connections on one path, so that paths can be compared. */
public final class Track {

  public final Counter live = new Counter();

  /** Plaintext bytes from clients to the app, and back. */
  public final Counter bytesToApp = new Counter();

  public final Counter bytesToClient = new Counter();

  /** From accept to the app's first byte for the client. */
  public final Counter firstByteNs = new Counter();

  public final Counter firstBytes = new Counter();

  private final Map<CloseReason, Counter> closed = new EnumMap<>(CloseReason.class);

  Track() {
    for (CloseReason reason : CloseReason.values()) {
      closed.put(reason, new Counter());
    }
  }

  void sentToClient(int bytes, boolean first, long ageNs) {
    bytesToClient.add(bytes);
    if (first) {
      firstByteNs.add(ageNs);
      firstBytes.increment();
    }
  }

  public Counter closed(CloseReason reason) {
    return closed.get(reason);
  }
}
