package dev.postern.operator.webhook;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Asks the server itself before the API server does. The first answers of a cold JVM take seconds
 * on a busy node, and the API server waits for 5 s only: a pod would be refused for it.
 */
final class WarmUp {

  private static final int ROUNDS = 3;
  private static final int TIMEOUT_MS = 10_000;

  private final SSLContext context;
  private final byte[] review;

  /**
   * @param trusted what the server shows, or what that chains to
   * @param namespace one that exists; nothing is written there
   */
  WarmUp(List<X509Certificate> trusted, String namespace) throws GeneralSecurityException {
    this.context = trusting(trusted);
    this.review = review(namespace).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Each path a few times, with a handshake each.
   *
   * @throws IOException when the server gives no answer or an HTTP error
   */
  void ask(int port) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      post(port, "/mutate");
      post(port, "/validate");
    }
  }

  /** Of a pod that takes the long way: injected, with a probe. */
  private static String review(String namespace) {
    return """
      {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "warm-up", "operation": "CREATE", "namespace": "%s", "dryRun": true,
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "object": {"apiVersion": "v1", "kind": "Pod",
          "metadata": {"name": "warm-up", "annotations": {"postern.dev/inject": "true"}},
          "spec": {"containers": [{"name": "app", "image": "app",
            "ports": [{"name": "http", "containerPort": 8080}],
            "readinessProbe": {"httpGet": {"path": "/", "port": "http"}}}]}}}}
      """
        .formatted(namespace);
  }

  private void post(int port, String path) throws IOException {
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    HttpsURLConnection connection =
        (HttpsURLConnection)
            URI.create("https://" + host + ":" + port + path).toURL().openConnection();
    connection.setSSLSocketFactory(context.getSocketFactory());
    // The leaf names the Service; here it is trusted by itself.
    connection.setHostnameVerifier((_, _) -> true);
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty("Connection", "close");
    connection.setDoOutput(true);
    try (OutputStream body = connection.getOutputStream()) {
      body.write(review);
    }
    connection.getInputStream().readAllBytes();
    connection.disconnect();
  }

  private static SSLContext trusting(List<X509Certificate> trusted)
      throws GeneralSecurityException {
    KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
    try {
      anchors.load(null, null);
    } catch (IOException e) {
      throw new AssertionError("nothing is read", e);
    }
    for (int i = 0; i < trusted.size(); i++) {
      anchors.setCertificateEntry(Integer.toString(i), trusted.get(i));
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(anchors);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
