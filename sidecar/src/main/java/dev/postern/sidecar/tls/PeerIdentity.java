package dev.postern.sidecar.tls;

import java.util.List;

/**
 * Who the peer proved to be by its verified certificate.
 *
 * @param uris URI subject alternative names
 * @param dnsNames DNS subject alternative names
 * @param subject the subject in RFC 2253 form
 * @param issuer the issuer in RFC 2253 form
 * @param serial the serial number, hexadecimal
 * @param notAfterEpochSeconds the earliest expiry in the verified chain
 * @param scope what the anchor that the chain ends in speaks for: {@link TrustScope#text()}
 */
public record PeerIdentity(
    List<String> uris,
    List<String> dnsNames,
    String subject,
    String issuer,
    String serial,
    long notAfterEpochSeconds,
    String scope) {

  /** A peer that showed no certificate. */
  public static final PeerIdentity ANONYMOUS =
      new PeerIdentity(List.of(), List.of(), "", "", "", Long.MAX_VALUE, "");

  public PeerIdentity {
    uris = List.copyOf(uris);
    dnsNames = List.copyOf(dnsNames);
  }

  /** True when the peer showed no certificate. */
  public boolean anonymous() {
    return equals(ANONYMOUS);
  }
}
