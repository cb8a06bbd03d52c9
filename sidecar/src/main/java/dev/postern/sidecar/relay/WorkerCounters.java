package dev.postern.sidecar.relay;

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

  /** Plaintext bytes from clients to the app, and back. */
  public final Counter bytesToApp = new Counter();

  public final Counter bytesToClient = new Counter();
  public final Counter sendRetries = new Counter();
  public final Counter acceptFailures = new Counter();
  public final Counter completions = new Counter();
  public final Counter waits = new Counter();

  private final Map<CloseReason, Counter> closed = new EnumMap<>(CloseReason.class);
  private final Map<TlsFailure.Reason, Counter> failures = new EnumMap<>(TlsFailure.Reason.class);
  private final Map<PeerAuthorizer.Decision, Counter> decisions =
      new EnumMap<>(PeerAuthorizer.Decision.class);

  WorkerCounters() {
    for (CloseReason reason : CloseReason.values()) {
      closed.put(reason, new Counter());
    }
    for (TlsFailure.Reason reason : TlsFailure.Reason.values()) {
      failures.put(reason, new Counter());
    }
    for (PeerAuthorizer.Decision decision : PeerAuthorizer.Decision.values()) {
      decisions.put(decision, new Counter());
    }
  }

  public Counter closed(CloseReason reason) {
    return closed.get(reason);
  }

  public Counter handshakeFailures(TlsFailure.Reason reason) {
    return failures.get(reason);
  }

  public Counter decisions(PeerAuthorizer.Decision decision) {
    return decisions.get(decision);
  }
}
