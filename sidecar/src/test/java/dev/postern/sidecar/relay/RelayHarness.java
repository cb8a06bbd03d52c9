package dev.postern.sidecar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.CompletionLoop;
import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.io.epoll.EpollLoop;
import dev.postern.sidecar.io.uring.UringLoop;
import dev.postern.sidecar.ktls.RecordPath;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.testing.TestSnapshots;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.PeerAuthorizer;
import dev.postern.sidecar.tls.ServerIdentity;
import dev.postern.sidecar.tls.TlsContext;
import dev.postern.sidecar.tls.TlsParameters;
import dev.postern.sidecar.tls.TlsVersion;
import dev.postern.sidecar.tls.TrustAnchor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A worker with a real app behind it and real clients before it, on loopback. */
final class RelayHarness implements AutoCloseable {

  static final TestPki PKI = TestPki.root("relay-ca");
  static final TestIdentity SERVER = PKI.leaf("spiffe://cluster.local/ns/shop/sa/web");
  static final TestIdentity CLIENT = PKI.leaf("spiffe://cluster.local/ns/shop/sa/client");

  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int LISTEN_BACKLOG = 512;

  /** What the app does with one connection. */
  @FunctionalInterface
  interface App {
    void serve(Socket socket) throws IOException;
  }

  final Worker worker;
  final int port;
  final AtomicInteger appConnections = new AtomicInteger();
  private final ServerSocket appListener;
  private final BlockingQueue<ConnectionReport> reports = new LinkedBlockingQueue<>();

  RelayHarness(Mode mode, App app) throws IOException {
    this(mode, Admission.TLS_ONLY, peer -> PeerAuthorizer.Decision.ALLOWED, Limits.DEFAULT, app);
  }

  RelayHarness(Mode mode, Admission admission, PeerAuthorizer authorizer, Limits limits, App app)
      throws IOException {
    appListener = new ServerSocket();
    appListener.bind(new InetSocketAddress(InetAddress.ofLiteral(LOOPBACK), 0), LISTEN_BACKLOG);
    Thread.ofPlatform().daemon().start(() -> acceptApps(app));
    Sockets sockets = new Sockets();
    int listener = sockets.listen(Sockaddr.of(LOOPBACK, 0), LISTEN_BACKLOG, false);
    assertThat(listener).isNotNegative();
    port = sockets.local(listener).port();
    Sockaddr appAddress = Sockaddr.of(LOOPBACK, appListener.getLocalPort());
    worker =
        new Worker(
            new Worker.Parts(
                0,
                () -> open(mode.io()),
                List.of(listener),
                new Destinations.Ports(Map.of(port, appAddress)),
                limits,
                new Worker.IoPath(mode.io().label(), ""),
                Mode.KERNEL,
                rules(mode, SERVER, admission, authorizer),
                reports::add,
                System::nanoTime));
    worker.start();
  }

  static Rules rules(
      Mode mode, TestIdentity identity, Admission admission, PeerAuthorizer authorizer) {
    ServerIdentity server = TestSnapshots.serverIdentity(identity);
    List<TrustAnchor> anchors = List.of(TestSnapshots.anchor(PKI, "cluster.local"));
    TlsParameters parameters = new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED);
    return new Rules(
        () -> new TlsContext(server, anchors, parameters),
        admission,
        authorizer,
        new RecordPath.Wish(mode.records(), 100, false));
  }

  private static CompletionLoop open(IoKind kind) {
    return switch (kind) {
      case EPOLL -> new EpollLoop(LoopSettings.DEFAULT);
      case IO_URING -> new UringLoop(LoopSettings.DEFAULT);
    };
  }

  private void acceptApps(App app) {
    while (!appListener.isClosed()) {
      try {
        Socket socket = appListener.accept();
        appConnections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(app, socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void serve(App app, Socket socket) {
    try (socket) {
      app.serve(socket);
    } catch (IOException ignored) {
      // Some tests cut the app off; what the client sees is what they assert.
    }
  }

  /** Stops listening: the app is gone. */
  void stopApp() throws IOException {
    appListener.close();
  }

  /** Plain TCP to the TLS port. */
  Socket dial() throws IOException {
    Socket socket = new Socket(InetAddress.ofLiteral(LOOPBACK), port);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return socket;
  }

  /** A client of the trust domain, its handshake done. */
  SSLSocket connect(String protocol) throws IOException {
    return connect(protocol, CLIENT.sslContext(PKI.certificate()));
  }

  SSLSocket connect(String protocol, SSLContext context) throws IOException {
    return handshake(dial(), protocol, context);
  }

  SSLSocket handshake(Socket tcp, String protocol, SSLContext context) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(tcp, LOOPBACK, port, true);
    socket.setEnabledProtocols(new String[] {protocol});
    socket.startHandshake();
    return socket;
  }

  /** The report of the next connection that ends. */
  ConnectionReport nextReport() throws InterruptedException {
    ConnectionReport report = reports.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    assertThat(report).as("a connection that ends").isNotNull();
    return report;
  }

  @Override
  public void close() throws IOException {
    worker.drain(0).join();
    appListener.close();
  }
}
