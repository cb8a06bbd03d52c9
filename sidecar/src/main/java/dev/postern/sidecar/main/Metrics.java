package dev.postern.sidecar.main;

import dev.postern.sidecar.io.IoChoice;
import dev.postern.sidecar.ktls.PathReason;
import dev.postern.sidecar.ktls.Records;
import dev.postern.sidecar.relay.CloseReason;
import dev.postern.sidecar.relay.Counter;
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

  Metrics(List<WorkerCounters> workers, IoChoice io) {
    this.workers = List.copyOf(workers);
    handshakes();
    for (Records records : Records.values()) {
      track(records, io.kind().label());
    }
    fallbacks(io);
    loops();
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

  /** One path beside the others: who uses it, how fast it is, how its connections end. */
  private void track(Records records, String io) {
    Tags path = Tags.of("records", records.label());
    Gauge.builder("postern.connections", this, self -> self.sum(c -> c.track(records).live))
        .tags(path.and("io", io))
        .register(registry);
    for (CloseReason reason : CloseReason.values()) {
      count(
          "postern.connections.closed",
          path.and("reason", reason.label()),
          counters -> counters.track(records).closed(reason));
    }
    count(
        "postern.bytes",
        path.and("direction", "in"),
        counters -> counters.track(records).bytesToApp);
    count(
        "postern.bytes",
        path.and("direction", "out"),
        counters -> counters.track(records).bytesToClient);
    FunctionTimer.builder(
            "postern.first.byte",
            this,
            self -> self.sum(c -> c.track(records).firstBytes),
            self -> self.sum(c -> c.track(records).firstByteNs),
            TimeUnit.NANOSECONDS)
        .tags(path)
        .register(registry);
  }

  private void fallbacks(IoChoice io) {
    for (PathReason reason : PathReason.values()) {
      if (reason != PathReason.NONE && reason != PathReason.PLAINTEXT) {
        count(
            "postern.path.fallbacks",
            Tags.of("wanted", "kernel", "reason", reason.label()),
            counters -> counters.fallback(reason));
      }
    }
    if (!io.reason().isEmpty()) {
      count(
          "postern.path.fallbacks",
          Tags.of("wanted", "io_uring", "reason", io.reason()),
          counters -> counters.accepted);
    }
  }

  private void loops() {
    Gauge.builder(
            "postern.completions.per.wait",
            this,
            self -> (double) self.sum(c -> c.completions) / Math.max(self.sum(c -> c.waits), 1))
        .register(registry);
    count("postern.accept.failures", Tags.empty(), counters -> counters.acceptFailures);
    count("postern.send.retries", Tags.empty(), counters -> counters.sendRetries);
  }

  private void count(String name, Tags tags, Function<WorkerCounters, Counter> counter) {
    FunctionCounter.builder(name, this, self -> self.sum(counter)).tags(tags).register(registry);
  }

  private long sum(Function<WorkerCounters, Counter> counter) {
    return workers.stream().mapToLong(worker -> counter.apply(worker).read()).sum();
  }
}
