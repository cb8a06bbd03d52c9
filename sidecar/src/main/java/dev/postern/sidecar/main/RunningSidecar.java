package dev.postern.sidecar.main;

import dev.postern.sidecar.admin.Answer;
import dev.postern.sidecar.admin.ControlSocket;
import dev.postern.sidecar.admin.PodListener;
import dev.postern.sidecar.admin.ProbeRunner;
import dev.postern.sidecar.admin.Routes;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.io.IoChoice;
import dev.postern.sidecar.io.uring.UringFeatures;
import dev.postern.sidecar.io.uring.UringProbe;
import dev.postern.sidecar.ktls.KernelTls;
import dev.postern.sidecar.ktls.KernelTlsProbe;
import dev.postern.sidecar.ktls.RecordPath;
import dev.postern.sidecar.linux.Probe;
import dev.postern.sidecar.openssl.OpenSsl;
import dev.postern.sidecar.reload.Part;
import dev.postern.sidecar.reload.ReloadListener;
import dev.postern.sidecar.reload.ReloadThread;
import dev.postern.sidecar.reload.Reloader;
import dev.postern.sidecar.reload.Snapshot;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** The running sidecar: what is started, in which order, and how it ends. */
final class RunningSidecar {

  private static final Duration RELOAD_EVERY = Duration.ofSeconds(2);
  private static final Duration DRAIN_GRACE = Duration.ofSeconds(20);
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Settings settings;
  private final Log log;
  private final Reloader reloader;
  private final Readiness readiness;
  private volatile Snapshot snapshot;
  private String openSsl;
  private IoChoice io;
  private Map<String, Object> ioFeatures;
  private KernelTls kernel;
  private Workers workers;
  private Metrics metrics;
  private PodListener podListener;
  private ControlSocket controlSocket;
  private ReloadThread reloadThread;

  RunningSidecar(Settings settings, InstantSource clock) {
    this.settings = settings;
    log = new Log(settings.logLevel(), System.out, clock);
    reloader = new Reloader(settings.runFolder(), clock, new Reloads());
    readiness = new Readiness(clock, () -> snapshot);
  }

  /** Returns once connections are taken. */
  void start() throws FileRefused, IOException {
    openSsl = OpenSsl.require();
    snapshot = reloader.loadFirst();
    io = chooseIo();
    ioFeatures = Reports.ioFeatures(UringFeatures.of(io));
    kernel = KernelTlsProbe.run();
    workers = new Workers(settings, io, kernel, snapshot, new AccessLog(log));
    metrics = new Metrics(workers.counters(), io);
    metrics.snapshots(() -> snapshot, log);
    metrics.policy(snapshot);
    openAdmin();
    reloadThread = new ReloadThread(reloader, RELOAD_EVERY);
    readiness.serve();
    status().forEach((key, value) -> log.event(LogLevel.DEBUG, "status", key, value));
    log.event(LogLevel.INFO, "io", Reports.pairs(ioFeatures));
    log.event(
        LogLevel.INFO,
        "serving",
        "version",
        version(),
        "ports",
        settings.listenPorts(),
        "records",
        expectedRecords(),
        "io",
        io,
        "workers",
        workers.count(),
        "policy",
        snapshot.policy().version());
  }

  private IoChoice chooseIo() {
    Probe uring = UringProbe.probe();
    IoChoice choice = IoChoice.decide(settings.io(), uring);
    if (!choice.honoured()) {
      throw new IoUnavailable(choice.reason(), uring.detail());
    }
    return choice;
  }

  private String expectedRecords() {
    RecordPath.RecordsChoice expected =
        RecordPath.expected(RecordPath.atAccept(Workers.wish(snapshot.policy()), kernel, 0));
    return Reports.withReason(expected.records().label(), expected.reason().label());
  }

  private void openAdmin() throws IOException {
    try {
      podListener = new PodListener(new InetSocketAddress(settings.adminPort()), podRoutes());
    } catch (IOException e) {
      throw new IOException(
          "POSTERN_ADMIN_PORT " + settings.adminPort() + ": " + e.getMessage(), e);
    }
    controlSocket =
        new ControlSocket(
            settings.runFolder().resolve("run").resolve("postern.sock"), controlRoutes());
  }

  private Routes podRoutes() {
    Map<String, Supplier<Answer>> routes = new HashMap<>();
    routes.put("GET /healthz/live", () -> Answer.ok("ok\n"));
    routes.put("GET /healthz/startup", readiness::started);
    routes.put("GET /healthz/ready", readiness::ready);
    routes.put("GET /metrics", () -> Answer.of(200, PROMETHEUS_TEXT, metrics.text()));
    ProbeRunner prober = new ProbeRunner(settings.podAddress());
    for (int i = 0; i < settings.probes().size(); i++) {
      int index = i;
      routes.put("GET /probe/" + index, () -> prober.run(settings.probes().get(index)));
    }
    return new Routes(routes);
  }

  private Routes controlRoutes() {
    return new Routes(
        Map.of(
            "GET /status", () -> Answer.ok(Reports.text(status())),
            "GET /status.json", () -> Answer.json(Reports.json(status())),
            "GET /connections", () -> Answer.ok(Reports.connectionsText(workers.connections())),
            "GET /connections.json",
                () -> Answer.json(Reports.connectionsJson(workers.connections())),
            "GET /version", () -> Answer.ok(version() + "\n"),
            "GET /version.json", () -> Answer.json("{\"version\":\"" + version() + "\"}\n"),
            "POST /drain", this::drain));
  }

  private Answer drain() {
    log.event(LogLevel.INFO, "draining", "by", "preStop");
    return readiness.drain();
  }

  private Map<String, Object> status() {
    Map<String, Object> facts = new LinkedHashMap<>();
    String obstacle = readiness.obstacle();
    facts.put("version", version());
    facts.put("ready", obstacle.isEmpty() ? "yes" : "no: " + obstacle);
    facts.put("records", expectedRecords());
    facts.put("kernelTls", kernel.detail());
    facts.put("io", io);
    facts.putAll(ioFeatures);
    facts.put("workers", workers.count() + " of " + Workers.cpus() + " CPUs, not pinned");
    facts.put("openssl", openSsl);
    facts.put("mode", snapshot.policy().mode().policyName());
    facts.put("policy", snapshot.policy().version());
    facts.put("identity", snapshot.identity().serial());
    facts.put("expires", snapshot.identity().notAfter());
    facts.put("roots", snapshot.trust().anchors().size());
    return facts;
  }

  /** Ends what lives in time, then the process; called once, on SIGTERM. */
  void stop() {
    readiness.drain();
    log.event(LogLevel.INFO, "draining", "by", "SIGTERM");
    workers.drain(DRAIN_GRACE.toNanos());
    reloadThread.close();
    podListener.close();
    try {
      controlSocket.close();
    } catch (IOException e) {
      log.event(LogLevel.WARN, "close", "what", "control socket", "detail", e);
    }
    log.event(LogLevel.INFO, "ended");
    log.close();
    // SIGTERM was obeyed: the JVM would say 143.
    Runtime.getRuntime().halt(0);
  }

  private static String version() {
    return Objects.requireNonNullElse(
        RunningSidecar.class.getPackage().getImplementationVersion(), "development");
  }

  /** Passes each new snapshot on, and says what was refused. */
  private final class Reloads implements ReloadListener {

    @Override
    public void reloaded(Part part, Snapshot next) {
      snapshot = next;
      workers.swap(next);
      metrics.reloaded(part, "ok");
      metrics.policy(next);
      log.event(
          LogLevel.INFO,
          "reload",
          "what",
          part.label(),
          "result",
          "ok",
          "identity",
          next.identity().serial(),
          "policy",
          next.policy().version());
    }

    @Override
    public void refused(Part part, FileRefused why) {
      metrics.reloaded(part, "refused");
      log.event(
          LogLevel.ERROR,
          "reload",
          "what",
          part.label(),
          "result",
          "refused",
          "detail",
          why.getMessage() + "; the last good one stays in force");
    }

    @Override
    public void warned(Part part, String sentence) {
      log.event(LogLevel.WARN, "reload", "what", part.label(), "detail", sentence);
    }
  }
}
