package dev.postern.sidecar.relay;

import java.time.Duration;

/**
 * Bounds of one worker.
 *
 * @param connections slots; more are closed at once
 * @param handshakes in progress at a time; more wait in the backlog
 * @param handshakeNs from accept to the end of the handshake
 * @param connectNs for the app to accept
 * @param idleNs without a byte either way
 * @param trimNs without a byte before a session's memory is given back
 * @param lingerNs for a client to take the last bytes
 * @param firstByteNs before a silent client of a permissive port is taken for plaintext
 * @param recordsPerKey records that the kernel seals before we renew its key, where the AEAD's own
 *     limit is not lower
 */
public record Limits(
    int connections,
    int handshakes,
    long handshakeNs,
    long connectNs,
    long idleNs,
    long trimNs,
    long lingerNs,
    long firstByteNs,
    long recordsPerKey) {

  public static final Limits DEFAULT =
      new Limits(
          16_384,
          256,
          Duration.ofSeconds(10).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          Duration.ofHours(1).toNanos(),
          Duration.ofSeconds(5).toNanos(),
          Duration.ofSeconds(3).toNanos(),
          Duration.ofMillis(300).toNanos(),
          Long.MAX_VALUE);

  /** The same, but for how often keys are renewed. */
  public Limits withRecordsPerKey(long records) {
    return new Limits(
        connections,
        handshakes,
        handshakeNs,
        connectNs,
        idleNs,
        trimNs,
        lingerNs,
        firstByteNs,
        records);
  }
}
