package dev.postern.sidecar.admin;

import java.time.Duration;
import java.util.Map;

/** A probe of the app that the kubelet asks the sidecar to make; fixed at injection. */
public sealed interface AppProbe {

  int port();

  Duration timeout();

  /** Succeeds when the port takes a connection. */
  record Tcp(int port, Duration timeout) implements AppProbe {}

  /**
   * Succeeds when the answer is 200 to 399, as for the kubelet.
   *
   * @param scheme "HTTP" or "HTTPS"; as the kubelet does, HTTPS verifies nothing
   * @param host the Host header; empty: the pod's address
   */
  record Http(
      int port,
      String path,
      String scheme,
      String host,
      Map<String, String> headers,
      Duration timeout)
      implements AppProbe {

    public Http {
      headers = Map.copyOf(headers);
    }
  }
}
