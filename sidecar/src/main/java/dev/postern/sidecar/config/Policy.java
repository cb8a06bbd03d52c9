package dev.postern.sidecar.config;

import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.PeerAuthorizer;
import dev.postern.sidecar.tls.TlsParameters;
import dev.postern.sidecar.tls.TlsVersion;

/**
 * What the operator resolved for this workload (policy/v1.json).
 *
 * @param version the operator's hash of the content, shown in /metrics
 * @param mode what is done with plaintext
 * @param minVersion the lowest TLS version
 * @param clientCertificate whether clients must show one
 * @param peers who may come in
 * @param path the way that the bytes are to take
 * @param negotiation what a handshake may agree on
 * @param proxyProtocol how the app is told the client's address
 * @param limits what this sidecar grants its connections
 */
public record Policy(
    String version,
    Mode mode,
    TlsVersion minVersion,
    ClientCertificate clientCertificate,
    PeerRules peers,
    PathPolicy path,
    Negotiation negotiation,
    ProxyProtocol proxyProtocol,
    ConnectionLimits limits) {

  /** What concerns the handshake. */
  public TlsParameters tls() {
    return new TlsParameters(minVersion, clientCertificate);
  }

  /** What is asked after it. */
  public PeerAuthorizer authorizer() {
    return peers;
  }

  /** The own trust domain. */
  public String trustDomain() {
    return peers.trustDomain();
  }
}
