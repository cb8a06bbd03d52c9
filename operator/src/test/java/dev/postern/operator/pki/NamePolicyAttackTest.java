package dev.postern.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** What an attacker in namespace shop can get, whatever he writes into a Certificate. */
class NamePolicyAttackTest {
  private static final Requester SHOP =
      new Requester("shop", Set.of("default", "web"), Set.of("web", "db"));
  private static final NamePolicy POLICY =
      new NamePolicy(
          IssuerScope.CLUSTER,
          "cluster.local",
          "cluster.local",
          List.of(
              new AllowEntry(
                  List.of("bank"), List.of("*.example.org"), null, List.of("10.0.0.0/8"))));
  private static final Set<String> OWN_DNS =
      Set.of("web", "db").stream()
          .flatMap(it -> NamePolicy.serviceNames(it, "shop", "cluster.local").stream())
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> OWN_URIS =
      Set.of("spiffe://cluster.local/ns/shop/sa/default", "spiffe://cluster.local/ns/shop/sa/web");

  @Property(tries = 5000)
  void shouldNeverGrantANameThatIsNotItsOwn(@ForAll("requests") CertificateNames asked) {
    NameDecision decision = POLICY.decide(SHOP, asked, false);
    Statistics.label("granted")
        .collect(decision instanceof NameDecision.Allowed)
        .coverage(both -> both.check(true).percentage(share -> share > 1));
    if (decision instanceof NameDecision.Allowed allowed) {
      assertThat(OWN_DNS).containsAll(allowed.names().dnsNames());
      assertThat(OWN_URIS).containsAll(allowed.names().uris());
      assertThat(allowed.names().uris()).hasSizeLessThanOrEqualTo(1);
      assertThat(allowed.names().ipAddresses()).isEmpty();
      if (!allowed.names().commonName().isEmpty()) {
        assertThat(OWN_DNS).contains(allowed.names().commonName());
      }
    }
  }

  @Property(tries = 2000)
  void shouldGrantTheSameAgainWhenItsAnswerIsAskedFor(@ForAll("requests") CertificateNames asked) {
    if (POLICY.decide(SHOP, asked, false) instanceof NameDecision.Allowed allowed) {
      assertThat(POLICY.decide(SHOP, allowed.names(), false)).isEqualTo(allowed);
    }
  }

  @Property(tries = 2000)
  void shouldNeverGrantACa(@ForAll("requests") CertificateNames asked) {
    assertThat(POLICY.decide(SHOP, asked, true)).isInstanceOf(NameDecision.Denied.class);
  }

  @Property(tries = 2000)
  void shouldNeverThrowWhenTheTextIsArbitrary(@ForAll String text) {
    List<String> one = List.of(text);
    for (CertificateNames asked :
        List.of(
            new CertificateNames(text, null, null, null),
            new CertificateNames("", one, null, null),
            new CertificateNames("", null, one, null),
            new CertificateNames("", null, null, one))) {
      assertThat(POLICY.decide(SHOP, asked, false)).isInstanceOf(NameDecision.Denied.class);
    }
  }

  @Provide
  Arbitrary<CertificateNames> requests() {
    Arbitrary<List<String>> dns = dnsNames().list().ofMaxSize(3);
    Arbitrary<List<String>> ips =
        Arbitraries.of(List.<String>of(), List.<String>of(), List.of("10.0.0.1"), List.of("::1"));
    Arbitrary<List<String>> uris = uris().list().ofMaxSize(2);
    Arbitrary<String> commonName = Arbitraries.oneOf(Arbitraries.just(""), dnsNames());
    return Combinators.combine(commonName, dns, ips, uris).as(CertificateNames::new);
  }

  /** Pieces of true and false names, put together in every way; some are good by chance. */
  private static Arbitrary<String> dnsNames() {
    Arbitrary<String> piece =
        Arbitraries.of(
            "web",
            "db",
            "api",
            "shop",
            "bank",
            "svc",
            "cluster",
            "local",
            "cluster.local",
            "*",
            "",
            "WEB",
            "\u212A",
            "example",
            "org",
            "xn--web",
            "w\u0435b",
            "10");
    Arbitrary<String> joined =
        Combinators.combine(piece.list().ofMinSize(1).ofMaxSize(6), Arbitraries.of("", ".", ".."))
            .as((pieces, end) -> String.join(".", pieces) + end);
    return Arbitraries.oneOf(joined, Arbitraries.of(OWN_DNS));
  }

  private static Arbitrary<String> uris() {
    Arbitrary<String> head =
        Arbitraries.of("spiffe://", "SPIFFE://", "spiffe:/", "spiffe:", "https://", "");
    Arbitrary<String> authority =
        Arbitraries.of("cluster.local", "Cluster.local", "x@cluster.local", "cluster.local:1", "*");
    Arbitrary<List<String>> path =
        Arbitraries.of(
                "ns", "shop", "bank", "sa", "web", "..", ".", "", "%2e", "*", "web?x", "web#")
            .list()
            .ofMaxSize(6);
    Arbitrary<String> joined =
        Combinators.combine(head, authority, path)
            .as((scheme, host, segments) -> scheme + host + "/" + String.join("/", segments));
    return Arbitraries.oneOf(joined, Arbitraries.of(OWN_URIS));
  }
}
