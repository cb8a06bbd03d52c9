package dev.postern.sidecar.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The listener on the pod's address: the kubelet and Prometheus ask here. */
public final class PodListener implements AutoCloseable {

  private static final int BACKLOG = 64;
  private static final int THREADS = 4;

  static {
    // Read once by jdk.httpserver: a slow or greedy client is cut off (seconds, connections).
    System.setProperty("sun.net.httpserver.maxReqTime", "5");
    System.setProperty("sun.net.httpserver.maxRspTime", "10");
    System.setProperty("jdk.httpserver.maxConnections", "64");
  }

  private final HttpServer server;
  private final ExecutorService threads;

  /**
   * Listens at once.
   *
   * @throws IOException when the port is taken
   */
  public PodListener(InetSocketAddress at, Routes routes) throws IOException {
    server = HttpServer.create(at, BACKLOG);
    threads = daemonThreads();
    server.setExecutor(threads);
    server.createContext("/", exchange -> handle(exchange, routes));
    server.start();
  }

  private static ExecutorService daemonThreads() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("postern-admin-", 0).daemon().factory());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static void handle(HttpExchange exchange, Routes routes) throws IOException {
    try (exchange) {
      Answer answer =
          routes.answer(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
