package dev.postern.sidecar.tls;

/**
 * What a policy says about the handshake.
 *
 * @param minVersion the lowest version that is spoken
 * @param clientCertificate whether the client must show a certificate
 */
public record TlsParameters(TlsVersion minVersion, ClientCertificate clientCertificate) {}
