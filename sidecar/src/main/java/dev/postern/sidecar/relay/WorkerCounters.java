package dev.postern.sidecar.relay;

import dev.postern.sidecar.ktls.PathReason;
import dev.postern.sidecar.ktls.Records;
import dev.postern.sidecar.tls.PeerAuthorizer;
import dev.postern.sidecar.tls.TlsFailure;
import java.util.EnumMap;
import java.util.Map;

/** What one worker counts; read from other threads and summed there. */
public final class WorkerCounters {

  public final Counter accepted = new Counter();
  public final Counter live = new Counter();
  public final Counter handshaking = new Counter();
  public final Counter handshakesTls12 = new Counter();
  public final Counter handshakesTls13 = new Counter();
  public final Counter handshakesResumed = new Counter();
  public final Counter handshakeNs = new Counter();

  public final Counter sendRetries = new Counter();
  public final Counter acceptFailures = new Counter();
  public final Counter completions = new Counter();
  public final Counter waits = new Counter();

  private final Map<Records, Track> tracks = new EnumMap<>(Records.class);
  private final Map<PathReason, Counter> fallbacks = new EnumMap<>(PathReason.class);
  private final Map<TlsFailure.Reason, Counter> failures = new EnumMap<>(TlsFailure.Reason.class);
  private final Map<PeerAuthorizer.Decision, Counter> decisions =
      new EnumMap<>(PeerAuthorizer.Decision.class);

  WorkerCounters() {
    for (Records records : Records.values()) {
      tracks.put(records, new Track());
    }
    for (PathReason reason : PathReason.values()) {
      fallbacks.put(reason, new Counter());
    }
    for (TlsFailure.Reason reason : TlsFailure.Reason.values()) {
      failures.put(reason, new Counter());
    }
    for (PeerAuthorizer.Decision decision : PeerAuthorizer.Decision.values()) {
      decisions.put(decision, new Counter());
    }
  }

  /** Of the connections on one path. */
  public Track track(Records records) {
    return tracks.get(records);
  }

  /** Connections whose records are not the kernel's, for this reason. */
  public Counter fallback(PathReason reason) {
    return fallbacks.get(reason);
  }

  public Counter handshakeFailures(TlsFailure.Reason reason) {
    return failures.get(reason);
  }

  public Counter decisions(PeerAuthorizer.Decision decision) {
    return decisions.get(decision);
  }
}
