package dev.postern.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.PeerAuthorizer.Decision;
import dev.postern.sidecar.tls.PeerIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PeerRulesProperties {

  @Provide
  Arbitrary<String> segment() {
    return Arbitraries.strings()
        .withChars("ab.-_Z9")
        .ofMinLength(1)
        .ofMaxLength(4)
        .filter(SpiffeId::isSegment);
  }

  @Provide
  Arbitrary<List<String>> path() {
    return segment().list().ofMinSize(1).ofMaxSize(5);
  }

  private static Decision decide(String rule, String uri, String scope) {
    PeerRules rules =
        new PeerRules(
            "own", ClientCertificate.REQUIRED, Optional.of(List.of(PeerRule.Spiffe.parse(rule))));
    return rules.decide(new PeerIdentity(List.of(uri), List.of(), "CN=x", "CN=y", "1", 0, scope));
  }

  private static String uri(List<String> path) {
    return "spiffe://own/" + String.join("/", path);
  }

  @Property
  void shouldMatchItselfWithAnySegmentsWildcarded(
      @ForAll("path") List<String> path, @ForAll int mask) {
    List<String> rule = new ArrayList<>(path);
    for (int i = 0; i < rule.size(); i++) {
      if ((mask >> i & 1) == 1) {
        rule.set(i, "*");
      }
    }

    assertThat(decide(uri(rule), uri(path), "spiffe://own")).isEqualTo(Decision.ALLOWED);
  }

  @Property
  void shouldNeverMatchAPathOfAnotherLength(
      @ForAll("path") List<String> path, @ForAll("segment") String more) {
    List<String> rule = path.stream().map(s -> "*").toList();
    List<String> longer = new ArrayList<>(path);
    longer.add(more);

    assertThat(decide(uri(rule), uri(longer), "spiffe://own")).isEqualTo(Decision.NOT_IN_POLICY);
  }

  @Property
  void shouldMatchOnlyTheSameWhenNothingIsWildcarded(
      @ForAll("path") List<String> rule, @ForAll("path") List<String> path) {
    assertThat(decide(uri(rule), uri(path), "spiffe://own") == Decision.ALLOWED)
        .isEqualTo(rule.equals(path));
  }

  @Property
  void shouldNeverAllowWhatItsRootDoesNotSpeakFor(
      @ForAll("path") List<String> path, @ForAll("segment") String scope) {
    assertThat(decide(uri(path), uri(path), "spiffe://" + scope + "x"))
        .isEqualTo(Decision.WRONG_TRUST_DOMAIN);
  }

  @Property
  void shouldNeverThrowOnWhateverNameComes(@ForAll String uri, @ForAll String dns) {
    PeerIdentity peer =
        new PeerIdentity(
            List.of("spiffe://" + uri, uri), List.of(dns), "", "", "1", 0, "spiffe://own");

    assertThat(new PeerRules("own", ClientCertificate.REQUIRED, Optional.empty()).decide(peer))
        .isNotNull();
  }
}
