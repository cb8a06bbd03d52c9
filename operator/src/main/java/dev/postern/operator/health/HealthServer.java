package dev.postern.operator.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * GET /healthz/live, /healthz/ready and /metrics over plain HTTP, for the kubelet and Prometheus.
 */
public final class HealthServer implements AutoCloseable {

  private static final int BACKLOG = 16;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  static {
    HttpBounds.apply();
  }

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Serves from now on.
   *
   * @param unreadiness why the process is not ready, or empty; asked at each look
   */
  public static HealthServer start(
      InetSocketAddress address,
      Supplier<Optional<String>> unreadiness,
      PrometheusMeterRegistry registry)
      throws IOException {
    HttpServer http = HttpServer.create(address, BACKLOG);
    http.createContext("/healthz/live", get(() -> Answer.ok("live")));
    http.createContext(
        "/healthz/ready",
        get(() -> unreadiness.get().map(Answer::unavailable).orElseGet(() -> Answer.ok("ready"))));
    http.createContext("/metrics", get(() -> Answer.metrics(registry.scrape())));
    HealthServer health = new HealthServer(http);
    http.setExecutor(health.threads);
    http.start();
    return health;
  }

  /** The port that was bound. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static HttpHandler get(Supplier<Answer> answer) {
    return exchange -> {
      try (exchange) {
        if (exchange.getRequestMethod().equals("GET")) {
          answer.get().send(exchange);
        } else {
          exchange.sendResponseHeaders(405, -1);
        }
      }
    };
  }

  private record Answer(int status, String type, String body) {

    static Answer ok(String body) {
      return new Answer(200, "text/plain", body + "\n");
    }

    static Answer unavailable(String reason) {
      return new Answer(503, "text/plain", reason + "\n");
    }

    static Answer metrics(String text) {
      return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", text);
    }

    void send(HttpExchange exchange) throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
