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
 */
public record Policy(
    String version,
    Mode mode,
    TlsVersion minVersion,
    ClientCertificate clientCertificate,
    PeerRules peers) {

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
