package dev.postern.sidecar.io.uring;

import dev.postern.sidecar.io.IoChoice;
import dev.postern.sidecar.linux.Probe;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which features of io_uring a worker's loop uses here, and why not the others.
 *
 * <p>What can be missing is tried once; what was measured and left out says so, with the figures in
 * the module's README.
 */
public final class UringFeatures {

  // What UringLoop cannot do without: a kernel that lacks one of them gets epoll.
  private static final List<String> NEEDED = List.of("deferred-completions", "provided-buffers");
  private static final String REGISTERED_RING = "registered-ring";

  /** What a measurement spoke against. */
  private static final List<Probe> LEFT_OUT =
      List.of(
          Probe.missing(
              "multishot-accept", "handshake-cap", "takes a whole backlog before it can be ended"),
          Probe.missing("registered-files", "not-faster", "0.97-1.00 x the CPU time"),
          Probe.missing("registered-buffers", "not-faster", "1.06-1.10 x the CPU time"),
          Probe.missing("huge-pages", "not-faster", "0.98-1.02 x the CPU time, all of it resident"),
          Probe.missing("sqpoll", "off", "not asked for"));

  private UringFeatures() {}

  /** One probe per feature, always the same ones in the same order. */
  public static List<Probe> of(IoChoice io) {
    if (!io.reason().isEmpty()) {
      return names().map(name -> Probe.missing(name, io.reason(), "epoll is used")).toList();
    }
    Stream<Probe> needed = NEEDED.stream().map(Probe::works);
    return Stream.of(needed, Stream.of(tryRegisteredRing()), LEFT_OUT.stream())
        .flatMap(probes -> probes)
        .toList();
  }

  private static Stream<String> names() {
    Stream<String> leftOut = LEFT_OUT.stream().map(Probe::feature);
    return Stream.of(NEEDED.stream(), Stream.of(REGISTERED_RING), leftOut).flatMap(names -> names);
  }

  private static Probe tryRegisteredRing() {
    try (Ring ring = new Ring(RingSetup.deferred(8, 16))) {
      ring.enable();
      int result = ring.registerDescriptor();
      return result == 1
          ? Probe.works(REGISTERED_RING)
          : UringProbe.missing(REGISTERED_RING, "io_uring_register_ring_fd", -result);
    } catch (RingSetupException e) {
      return UringProbe.missing(REGISTERED_RING, e.step(), e.errno());
    }
  }
}
