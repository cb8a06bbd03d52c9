package dev.postern.sidecar.config;

import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.PeerAuthorizer;
import dev.postern.sidecar.tls.PeerIdentity;
import dev.postern.sidecar.tls.TrustScope;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who may come in: a pure decision on names that the handshake has proved.
 *
 * <p>A root speaks for its scope: a SPIFFE ID counts only under a root of that trust domain, a DNS
 * name only under a root of the own trust domain or of a DNS scope that covers it. Where a policy
 * lists peers, a client that shows no certificate is nobody of the list, even if certificates are
 * optional.
 *
 * @param trustDomain the own one
 * @param clientCertificate whether one must be shown
 * @param peers empty: everybody with a SPIFFE ID of the own trust domain; present and without a
 *     rule: nobody
 */
public record PeerRules(
    String trustDomain, ClientCertificate clientCertificate, Optional<List<PeerRule>> peers)
    implements PeerAuthorizer {

  public PeerRules {
    peers = peers.map(List::copyOf);
  }

  @Override
  public Decision decide(PeerIdentity peer) {
    if (peer.anonymous()) {
      return decideAnonymous();
    }
    TrustScope scope = TrustScope.parse(peer.scope());
    List<String> uris = peer.uris().stream().filter(u -> u.startsWith(SpiffeId.SCHEME)).toList();
    return uris.isEmpty() ? decideByDns(peer, scope) : decideBySpiffe(peer, uris, scope);
  }

  private Decision decideAnonymous() {
    boolean mayStayUnknown = clientCertificate != ClientCertificate.REQUIRED && peers.isEmpty();
    return mayStayUnknown ? Decision.ALLOWED : Decision.NO_CERTIFICATE;
  }

  private Decision decideBySpiffe(PeerIdentity peer, List<String> uris, TrustScope scope) {
    // X509-SVID section 2: a certificate with more than one SPIFFE ID is to be rejected.
    Optional<SpiffeId> id = uris.size() == 1 ? SpiffeId.parse(uris.getFirst()) : Optional.empty();
    if (id.isEmpty()) {
      return Decision.NOT_IN_POLICY;
    }
    if (!scope.equals(TrustScope.trustDomain(id.get().trustDomain()))) {
      return Decision.WRONG_TRUST_DOMAIN;
    }
    if (peers.isEmpty()) {
      return id.get().trustDomain().equals(trustDomain)
          ? Decision.ALLOWED
          : Decision.WRONG_TRUST_DOMAIN;
    }
    return anyRule(rule -> matches(rule, id, peer, scope));
  }

  private Decision decideByDns(PeerIdentity peer, TrustScope scope) {
    if (peer.dnsNames().stream().noneMatch(name -> covers(scope, name))) {
      return Decision.WRONG_TRUST_DOMAIN;
    }
    return peers.isEmpty()
        ? Decision.NOT_IN_POLICY
        : anyRule(rule -> matches(rule, Optional.empty(), peer, scope));
  }

  private Decision anyRule(Predicate<PeerRule> matches) {
    return peers.orElseThrow().stream().anyMatch(matches)
        ? Decision.ALLOWED
        : Decision.NOT_IN_POLICY;
  }

  private boolean matches(
      PeerRule rule, Optional<SpiffeId> id, PeerIdentity peer, TrustScope scope) {
    return switch (rule) {
      case PeerRule.Spiffe spiffe -> id.isPresent() && spiffe.matches(id.get());
      case PeerRule.Dns dns ->
          peer.dnsNames().stream().anyMatch(name -> covers(scope, name) && dns.matches(name));
    };
  }

  private boolean covers(TrustScope scope, String dnsName) {
    return switch (scope.kind()) {
      case TRUST_DOMAIN -> scope.name().equals(trustDomain);
      case DNS -> {
        String name = dnsName.toLowerCase(Locale.ROOT);
        yield name.equals(scope.name()) || name.endsWith("." + scope.name());
      }
    };
  }
}
