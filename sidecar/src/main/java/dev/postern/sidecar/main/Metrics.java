package dev.postern.sidecar.main;

import dev.postern.sidecar.relay.CloseReason;
import dev.postern.sidecar.relay.Counter;
import dev.postern.sidecar.relay.PathTaken;
import dev.postern.sidecar.relay.WorkerCounters;
import dev.postern.sidecar.reload.Part;
import dev.postern.sidecar.reload.Snapshot;
import dev.postern.sidecar.tls.PeerAuthorizer.Decision;
import dev.postern.sidecar.tls.TlsFailure;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The workers' counters under their Prometheus names; label values are closed sets. */
final class Metrics {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MultiGauge policyInfo =
      MultiGauge.builder("postern.policy.info").register(registry);
  private final List<WorkerCounters> workers;

  Metrics(List<WorkerCounters> workers, PathTaken path) {
    this.workers = List.copyOf(workers);
    handshakes();
    connections(path);
    bytes(path);
    loops();
    if (!path.recordsReason().isEmpty()) {
      count(
          "postern.path.fallbacks",
          Tags.of("wanted", "kernel", "reason", path.recordsReason()),
          counters -> counters.accepted);
    }
    if (!path.ioReason().isEmpty()) {
      count(
          "postern.path.fallbacks",
          Tags.of("wanted", "io_uring", "reason", path.ioReason()),
          counters -> counters.accepted);
    }
  }

  /** What changes with the files. */
  void snapshots(Supplier<Snapshot> snapshot, Log log) {
    Gauge.builder(
            "postern.certificate.expiry.timestamp.seconds",
            snapshot,
            current -> current.get().identity().notAfter().getEpochSecond())
        .strongReference(true)
        .register(registry);
    FunctionCounter.builder("postern.log.lines.dropped", log, Log::dropped).register(registry);
  }

  void reloaded(Part part, String result) {
    registry.counter("postern.reloads", "what", part.label(), "result", result).increment();
  }

  /** The policy in force, by its version: what the operator looks for. */
  void policy(Snapshot snapshot) {
    policyInfo.register(
        List.of(MultiGauge.Row.of(Tags.of("version", snapshot.policy().version()), 1)), true);
  }

  String text() {
    return registry.scrape();
  }

  private void handshakes() {
    handshake("TLSv1.2", counters -> counters.handshakesTls12);
    handshake("TLSv1.3", counters -> counters.handshakesTls13);
    for (TlsFailure.Reason reason : TlsFailure.Reason.values()) {
      count(
          "postern.handshakes",
          Tags.of(
              "result", reason.name().toLowerCase(Locale.ROOT), "version", "", "resumed", "false"),
          counters -> counters.handshakeFailures(reason));
    }
    FunctionTimer.builder(
            "postern.handshake",
            this,
            self -> self.sum(c -> c.handshakesTls12) + self.sum(c -> c.handshakesTls13),
            self -> self.sum(c -> c.handshakeNs),
            TimeUnit.NANOSECONDS)
        .register(registry);
    for (Decision decision : Decision.values()) {
      if (decision != Decision.ALLOWED) {
        count(
            "postern.peers.refused",
            Tags.of("reason", decision.label()),
            counters -> counters.decisions(decision));
      }
    }
  }

  private void handshake(String version, Function<WorkerCounters, Counter> counter) {
    count(
        "postern.handshakes",
        Tags.of("result", "ok", "version", version, "resumed", "false"),
        counter);
  }

  private void connections(PathTaken path) {
    Gauge.builder("postern.connections", this, self -> self.sum(c -> c.live))
        .tags("records", path.records(), "io", path.io())
        .register(registry);
    for (CloseReason reason : CloseReason.values()) {
      count(
          "postern.connections.closed",
          Tags.of("reason", reason.label()),
          counters -> counters.closed(reason));
    }
    count("postern.accept.failures", Tags.empty(), counters -> counters.acceptFailures);
  }

  private void bytes(PathTaken path) {
    count(
        "postern.bytes",
        Tags.of("direction", "in", "records", path.records()),
        counters -> counters.bytesToApp);
    count(
        "postern.bytes",
        Tags.of("direction", "out", "records", path.records()),
        counters -> counters.bytesToClient);
  }

  private void loops() {
    Gauge.builder(
            "postern.completions.per.wait",
            this,
            self -> (double) self.sum(c -> c.completions) / Math.max(self.sum(c -> c.waits), 1))
        .register(registry);
    count("postern.send.retries", Tags.empty(), counters -> counters.sendRetries);
  }

  private void count(String name, Tags tags, Function<WorkerCounters, Counter> counter) {
    FunctionCounter.builder(name, this, self -> self.sum(counter)).tags(tags).register(registry);
  }

  private long sum(Function<WorkerCounters, Counter> counter) {
    return workers.stream().mapToLong(worker -> counter.apply(worker).read()).sum();
  }
}
