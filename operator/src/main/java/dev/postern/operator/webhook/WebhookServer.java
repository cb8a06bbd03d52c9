package dev.postern.operator.webhook;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.postern.operator.health.HttpBounds;
import dev.postern.operator.inject.Injector;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * POST /mutate and POST /validate over HTTPS, each request on a virtual thread. Client certificates
 * are not asked for: the API server has none to show unless its administrator configures one.
 */
public final class WebhookServer implements AutoCloseable {

  private static final int BACKLOG = 128;
  private static final int STOP_SECONDS = 5;

  private final HttpsServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  static {
    HttpBounds.apply();
  }

  private WebhookServer(HttpsServer server) {
    this.server = server;
  }

  /**
   * Listens and serves until {@link #close}.
   *
   * @param context asked for its certificate at each handshake
   * @throws IOException when the port cannot be taken
   */
  public static WebhookServer start(
      InetSocketAddress address, SSLContext context, Injector injector, MeterRegistry registry)
      throws IOException {
    AdmissionMetrics metrics = new AdmissionMetrics(registry);
    HttpsServer https = HttpsServer.create(address, BACKLOG);
    https.setHttpsConfigurator(new ServerParameters(context));
    https.createContext("/mutate", new AdmissionHandler("mutate", injector::mutate, metrics));
    https.createContext("/validate", new AdmissionHandler("validate", injector::validate, metrics));
    WebhookServer server = new WebhookServer(https);
    https.setExecutor(server.threads);
    https.start();
    return server;
  }

  /** The port that it listens on, for when 0 was asked for. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Takes no new connection and gives requests under way 5 s. */
  @Override
  public void close() {
    server.stop(STOP_SECONDS);
    threads.shutdownNow();
  }

  private static final class ServerParameters extends HttpsConfigurator {

    ServerParameters(SSLContext context) {
      super(context);
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters tls = getSSLContext().getDefaultSSLParameters();
      tls.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
      parameters.setSSLParameters(tls);
    }
  }
}
