package dev.postern.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.PeerAuthorizer.Decision;
import dev.postern.sidecar.tls.PeerIdentity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PeerRulesTest {

  private static final String OWN = "cluster.local";

  private static PeerIdentity peer(String names, String scope) {
    List<String> all = Arrays.stream(names.split(" ")).filter(n -> !n.isEmpty()).toList();
    return new PeerIdentity(
        all.stream().filter(n -> n.contains(":")).toList(),
        all.stream().filter(n -> !n.contains(":")).toList(),
        "CN=x",
        "CN=y",
        "1",
        0,
        scope);
  }

  private static PeerRules rules(String peers) {
    Optional<List<PeerRule>> list =
        peers.equals("null")
            ? Optional.empty()
            : Optional.of(
                Arrays.stream(peers.split(" "))
                    .filter(p -> !p.isEmpty() && !p.equals("none"))
                    .<PeerRule>map(
                        p ->
                            p.startsWith("spiffe:")
                                ? PeerRule.Spiffe.parse(p)
                                : PeerRule.Dns.parse(p))
                    .toList());
    return new PeerRules(OWN, ClientCertificate.REQUIRED, list);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          null | spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local | ALLOWED
          null | spiffe://cluster.local/ns/a/sa/b x.y | spiffe://cluster.local | ALLOWED
          null | spiffe://other/ns/a/sa/b | spiffe://other | WRONG_TRUST_DOMAIN
          null | spiffe://cluster.local/ns/a/sa/b | spiffe://other | WRONG_TRUST_DOMAIN
          null | spiffe://other/ns/a/sa/b | spiffe://cluster.local | WRONG_TRUST_DOMAIN
          null | spiffe://cluster.local/ns/a/sa/b | dns:cluster.local | WRONG_TRUST_DOMAIN
          null | spiffe://cluster.local/a spiffe://cluster.local/b | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://cluster.local | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://cluster.local/ | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://cluster.local/a/../b | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://cluster.local/a?x | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://cluster.local/a%2fb | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://cluster.local:80/a | spiffe://cluster.local | NOT_IN_POLICY
          null | spiffe://u@cluster.local/a | spiffe://cluster.local | NOT_IN_POLICY
          null | web.shop.svc | spiffe://cluster.local | NOT_IN_POLICY
          null | web.example.org | dns:example.org | NOT_IN_POLICY
          none | spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local | NOT_IN_POLICY
          none | web.shop.svc | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local | ALLOWED
          spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local/ns/a/sa/c | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local/ns/a/sa/b/c | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local/ns/a/sa | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local/ns/A/sa/b | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://cluster.local/ns/*/sa/b | spiffe://cluster.local/ns/a/sa/b | spiffe://cluster.local | ALLOWED
          spiffe://cluster.local/ns/*/sa/b | spiffe://cluster.local/ns/a/x/sa/b | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://cluster.local/ns/*/sa/b | spiffe://cluster.local/ns//sa/b | spiffe://cluster.local | NOT_IN_POLICY
          spiffe://other/ns/a/sa/b | spiffe://other/ns/a/sa/b | spiffe://other | ALLOWED
          spiffe://other/ns/a/sa/b | spiffe://other/ns/a/sa/b | spiffe://cluster.local | WRONG_TRUST_DOMAIN
          web.shop.svc | web.shop.svc | spiffe://cluster.local | ALLOWED
          web.shop.svc | WEB.shop.svc | spiffe://cluster.local | ALLOWED
          web.shop.svc | web.shop.svc | spiffe://other | WRONG_TRUST_DOMAIN
          web.shop.svc | spiffe://cluster.local/ns/a/sa/b web.shop.svc | spiffe://cluster.local | ALLOWED
          web.shop.svc | spiffe://other/ns/a/sa/b web.shop.svc | spiffe://other | NOT_IN_POLICY
          *.shop.svc | web.shop.svc | spiffe://cluster.local | ALLOWED
          *.shop.svc | a.web.shop.svc | spiffe://cluster.local | NOT_IN_POLICY
          *.shop.svc | shop.svc | spiffe://cluster.local | NOT_IN_POLICY
          *.shop.svc | *.shop.svc | spiffe://cluster.local | NOT_IN_POLICY
          web.example.org | web.example.org | dns:example.org | ALLOWED
          example.org | example.org | dns:example.org | ALLOWED
          web.badexample.org | web.badexample.org | dns:example.org | WRONG_TRUST_DOMAIN
          web.shop.svc | web.shop.svc | dns:example.org | WRONG_TRUST_DOMAIN
          a.example.org spiffe://cluster.local/x | spiffe://cluster.local/x | spiffe://cluster.local | ALLOWED
          """)
  void shouldDecideByTable(String peers, String names, String scope, Decision expected) {
    assertThat(rules(peers).decide(peer(names, scope))).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(ClientCertificate.class)
  void shouldRefuseTheAnonymousWhenPeersAreListed(ClientCertificate mode) {
    assertThat(new PeerRules(OWN, mode, Optional.of(List.of())).decide(PeerIdentity.ANONYMOUS))
        .isEqualTo(Decision.NO_CERTIFICATE);
  }

  @Test
  void shouldLetTheAnonymousInWhenCertificatesAreOptional() {
    PeerRules rules = new PeerRules(OWN, ClientCertificate.OPTIONAL, Optional.empty());

    assertThat(rules.decide(PeerIdentity.ANONYMOUS)).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void shouldRefuseTheAnonymousWhenCertificatesAreRequired() {
    PeerRules rules = new PeerRules(OWN, ClientCertificate.REQUIRED, Optional.empty());

    assertThat(rules.decide(PeerIdentity.ANONYMOUS)).isEqualTo(Decision.NO_CERTIFICATE);
  }
}
