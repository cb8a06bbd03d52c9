package dev.postern.sidecar.config;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What this sidecar, all its workers together, grants its connections; whole seconds.
 *
 * @param handshake from accept to the end of the handshake, 1 s to 5 min
 * @param idle without a byte either way, 1 s to 24 h
 * @param age of a connection, 1 s to 720 h; empty: any
 * @param connections at a time, 1 to 1,000,000; empty: what the sidecar has room for
 */
public record ConnectionLimits(
    Duration handshake, Duration idle, Optional<Duration> age, OptionalInt connections) {

  static final ConnectionLimits DEFAULT =
      new ConnectionLimits(
          Duration.ofSeconds(10), Duration.ofHours(1), Optional.empty(), OptionalInt.empty());
}
