package dev.postern.sidecar.config;

import java.util.List;

/**
 * What a handshake may agree on; lists in order of preference.
 *
 * @param cipherSuites empty: the sidecar's own choice; else at least one for the policy's
 *     minVersion
 * @param groups empty: the sidecar's own choice
 * @param alpn visible ASCII, 1 to 255 characters each, at most 16; empty: none is negotiated
 * @param resumption whether a client may continue an earlier session
 */
public record Negotiation(
    List<CipherSuite> cipherSuites, List<Group> groups, List<String> alpn, Resumption resumption) {

  public Negotiation {
    cipherSuites = List.copyOf(cipherSuites);
    groups = List.copyOf(groups);
    alpn = List.copyOf(alpn);
  }
}
