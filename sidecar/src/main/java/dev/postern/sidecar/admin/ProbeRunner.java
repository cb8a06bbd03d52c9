package dev.postern.sidecar.admin;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Makes the app's probes, from inside the pod, to the address that the kubelet would have dialled.
 */
public final class ProbeRunner {

  static {
    // The probe's author may set Host.
    System.setProperty("sun.net.http.allowRestrictedHeaders", "true");
  }

  private final InetAddress pod;

  /** Probes go to {@code pod}. */
  public ProbeRunner(InetAddress pod) {
    this.pod = pod;
  }

  /** 200, or 503 with the reason in one line. */
  public Answer run(AppProbe probe) {
    try {
      return switch (probe) {
        case AppProbe.Tcp tcp -> connect(tcp);
        case AppProbe.Http http -> get(http);
      };
    } catch (IOException e) {
      return Answer.unavailable("port " + probe.port() + ": " + e.getMessage());
    }
  }

  private Answer connect(AppProbe.Tcp probe) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(pod, probe.port()), Math.toIntExact(probe.timeout().toMillis()));
      return Answer.ok("ok\n");
    }
  }

  private Answer get(AppProbe.Http probe) throws IOException {
    HttpURLConnection connection = open(probe);
    try {
      int status = connection.getResponseCode();
      return status >= 200 && status < 400
          ? Answer.ok("ok\n")
          : Answer.unavailable("port " + probe.port() + ": HTTP status " + status);
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(AppProbe.Http probe) throws IOException {
    String scheme = "HTTPS".equals(probe.scheme()) ? "https" : "http";
    String literal = pod.getHostAddress();
    String host = literal.contains(":") ? "[" + literal + "]" : literal;
    String path = probe.path().startsWith("/") ? probe.path() : "/" + probe.path();
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create(scheme + "://" + host + ":" + probe.port() + path).toURL().openConnection();
    int timeoutMs = Math.toIntExact(probe.timeout().toMillis());
    connection.setConnectTimeout(timeoutMs);
    connection.setReadTimeout(timeoutMs);
    connection.setUseCaches(false);
    connection.setRequestProperty("User-Agent", "kube-probe/postern");
    connection.setRequestProperty("Connection", "close");
    if (!probe.host().isEmpty()) {
      connection.setRequestProperty("Host", probe.host());
    }
    probe.headers().forEach(connection::setRequestProperty);
    if (connection instanceof HttpsURLConnection https) {
      verifyNothing(https);
    }
    return connection;
  }

  /** A probe asks whether the app answers, not who it is: so does the kubelet. */
  private static void verifyNothing(HttpsURLConnection https) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Credulous()}, null);
      https.setSSLSocketFactory(context.getSocketFactory());
      https.setHostnameVerifier((host, session) -> true);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
