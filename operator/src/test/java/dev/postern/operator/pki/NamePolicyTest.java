package dev.postern.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePolicyTest {
  private static final Requester SHOP =
      new Requester("shop", Set.of("default", "web"), Set.of("web", "db"));
  private static final NamePolicy CLUSTER = cluster();
  private static final NamePolicy NAMESPACE =
      new NamePolicy(IssuerScope.NAMESPACE, "cluster.local", "cluster.local", List.of());

  @ParameterizedTest
  @CsvSource({
    "web, web",
    "db.shop, db.shop",
    "web.shop.svc, web.shop.svc",
    "web.shop.svc.cluster.local, web.shop.svc.cluster.local",
    "web.shop.svc., web.shop.svc",
    "WEB.Shop.svc.Cluster.LOCAL., web.shop.svc.cluster.local",
  })
  void shouldGrantNamesOfOwnServices(String asked, String granted) {
    assertThat(CLUSTER.decide(SHOP, dns(asked), false))
        .isEqualTo(new NameDecision.Allowed(dns(granted)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api",
        "web.bank",
        "web.bank.svc",
        "web.bank.svc.cluster.local",
        "web.shop.svc.cluster",
        "web.shop.svc.evil.org",
        "x.web.shop.svc",
        "shop.svc",
        "svc",
        "example.org",
        "*.shop.svc",
        "*.web.shop.svc.cluster.local",
      })
  void shouldRefuseDnsNamesWhenTheyAreForeign(String asked) {
    assertDenied(CLUSTER.decide(SHOP, dns(asked), false), asked, "needs a line in");
  }

  @ParameterizedTest
  @CsvSource({
    "web.shop.svc.., an empty label",
    "., 1 to 253",
    "web..shop, an empty label",
    ".web, an empty label",
    "'web.shop.svc\u0000', ASCII",
    "'web shop', ASCII",
    "\u212Aeb, ASCII",
    "web_1, is not possible",
    "-web, is not possible",
    "web-, is not possible",
    "w*b.shop.svc, is not possible",
    "web.*.svc, is not possible",
    "*, two labels",
    "*.local, two labels",
    "10.0.0.1, looks like an IP",
    "web.shop.1, looks like an IP",
    "spiffe://cluster.local/ns/shop/sa/web, is not possible",
  })
  void shouldRefuseDnsNamesWhenTheirFormIsOdd(String asked, String why) {
    assertDenied(CLUSTER.decide(SHOP, dns(asked), false), asked, why);
    assertDenied(NAMESPACE.decide(SHOP, dns(asked), false), asked, why);
  }

  @Test
  void shouldGrantTheUriWhenItIsAnExistingAccountOfTheNamespace() {
    CertificateNames names = uri("spiffe://cluster.local/ns/shop/sa/web");

    assertThat(CLUSTER.decide(SHOP, names, false)).isEqualTo(new NameDecision.Allowed(names));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spiffe://cluster.local/ns/shop/sa/absent",
        "spiffe://cluster.local/ns/bank/sa/web",
        "spiffe://cluster.local/ns/shop/sa/Web",
        "spiffe://other.org/ns/shop/sa/web",
        "spiffe://cluster.local/ns/shop/sa/web/x",
        "spiffe://cluster.local/ns/shop/sa",
        "spiffe://cluster.local/sa/web/ns/shop",
      })
  void shouldRefuseTheUriWhenItIsForeign(String asked) {
    assertDenied(CLUSTER.decide(SHOP, uri(asked), false), asked, "needs a line in");
  }

  @ParameterizedTest
  @CsvSource({
    "spiffe://cluster.local/ns/shop/sa/%77eb, percent-encoding",
    "spiffe://Cluster.local/ns/shop/sa/web, upper case",
    "SPIFFE://cluster.local/ns/shop/sa/web, lower case",
    "spiffe:/cluster.local/ns/shop/sa/web, spiffe://",
    "spiffe:cluster.local, spiffe://",
    "spiffe://cluster.local/ns//shop/sa/web, an empty path segment",
    "spiffe://cluster.local/ns/shop/sa/web/, an empty path segment",
    "spiffe://cluster.local/ns/bank/../shop/sa/web, the path segment ..",
    "spiffe://cluster.local/ns/./shop/sa/web, the path segment .",
    "spiffe://me@cluster.local/ns/shop/sa/web, no user",
    "spiffe://cluster.local:8443/ns/shop/sa/web, port",
    "spiffe://cluster.local/ns/shop/sa/web?x=y, query",
    "spiffe://cluster.local/ns/shop/sa/web#x, fragment",
    "spiffe://cluster.local/ns/*/sa/web, a path segment has only",
    "spiffe://*/ns/shop/sa/web, a trust domain has only",
    "spiffe:///ns/shop/sa/web, empty",
    "spiffe://cluster.local, no path",
    "spiffe://cluster.local/, an empty path segment",
    "'spiffe://cluster.local/ns/shop/sa/web ', a path segment has only",
    "spiffe://cluster.local/ns/shop/sa/w\u0435b, a path segment has only",
  })
  void shouldRefuseTheUriWhenItsFormIsOdd(String asked, String why) {
    assertDenied(CLUSTER.decide(SHOP, uri(asked), false), asked, why);
    assertDenied(NAMESPACE.decide(SHOP, uri(asked), false), asked, why);
  }

  @Test
  void shouldRefuseASecondUri() {
    CertificateNames two =
        new CertificateNames(
            "",
            null,
            null,
            List.of(
                "spiffe://cluster.local/ns/shop/sa/default",
                "spiffe://cluster.local/ns/shop/sa/web"));

    assertDenied(
        CLUSTER.decide(SHOP, two, false), "spiffe://cluster.local/ns/shop/sa/web", "exactly one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "::1", "2001:db8::1"})
  void shouldRefuseIpAddressesWhenNoLineAllowsThem(String asked) {
    assertDenied(CLUSTER.decide(SHOP, ip(asked), false), asked, "an IP address; it needs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0", "010.0.0.1", "1", "10.0.0.256", "10.0.0.1.", "fe80::1%eth0", "web", ""})
  void shouldRefuseIpAddressesWhenTheirFormIsOdd(String asked) {
    assertDenied(NAMESPACE.decide(SHOP, ip(asked), false), asked, "not an IP address");
  }

  @Test
  void shouldRefuseACaFromAnyIssuer() {
    assertDenied(CLUSTER.decide(SHOP, dns("web"), true), "isCA", "makes a CA");
    assertDenied(NAMESPACE.decide(SHOP, dns("web"), true), "isCA", "makes a CA");
  }

  @Test
  void shouldRefuseWhenNoNameIsAskedFor() {
    assertDenied(NAMESPACE.decide(SHOP, dns(), false), "", "no name");
  }

  @Test
  void shouldRefuseAllWhenOneNameIsForeign() {
    assertDenied(
        CLUSTER.decide(SHOP, dns("web", "web.shop", "web.bank"), false), "web.bank", "needs");
  }

  @Test
  void shouldRefuseMoreThanAHundredNames() {
    List<String> names = IntStream.range(0, 101).mapToObj(i -> "n" + i).toList();

    assertDenied(
        NAMESPACE.decide(SHOP, CertificateNames.ofDns(names), false), "dnsNames", "more than 100");
  }

  @ParameterizedTest
  @CsvSource({"web.shop.svc, web.shop.svc", "WEB.shop.svc., web.shop.svc", "db, db"})
  void shouldGrantTheCommonNameWhenItIsAGrantableDnsName(String asked, String granted) {
    CertificateNames names = new CertificateNames(asked, List.of("web.shop.svc"), null, null);

    assertThat(CLUSTER.decide(SHOP, names, false))
        .isEqualTo(
            new NameDecision.Allowed(
                new CertificateNames(granted, List.of("web.shop.svc"), null, null)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"api.bank.svc", "Administrator", "system:masters", "a,O=system:masters"})
  void shouldRefuseTheCommonNameWhenItIsForeign(String asked) {
    CertificateNames names = new CertificateNames(asked, List.of("web.shop.svc"), null, null);

    assertThat(CLUSTER.decide(SHOP, names, false)).isInstanceOf(NameDecision.Denied.class);
  }

  @ParameterizedTest
  @CsvSource({
    "www.example.org, www.example.org",
    "*.example.org, api.example.org",
    "*.example.org, *.example.org",
    "*.EXAMPLE.org., api.example.org",
    "api.*.svc, api.bank.svc",
  })
  void shouldGrantForeignDnsNamesWhenALineAllowsThem(String pattern, String asked) {
    NamePolicy policy = cluster(allow("shop", pattern));

    assertThat(policy.decide(SHOP, dns(asked), false)).isInstanceOf(NameDecision.Allowed.class);
  }

  @ParameterizedTest
  @CsvSource({
    "*.example.org, a.b.example.org",
    "*.example.org, example.org",
    "*, api.bank",
    "www.example.org, *.example.org",
    "*.example.org, x.example.org.evil.net",
    "www.example.org, wwwxexample.org",
  })
  void shouldRefuseForeignDnsNamesWhenTheLineSaysLess(String pattern, String asked) {
    NamePolicy policy = cluster(allow("shop", pattern));

    assertDenied(policy.decide(SHOP, dns(asked), false), asked, "needs");
  }

  @ParameterizedTest
  @CsvSource({"shop, true", "*, true", "bank, false", "sho*, false", "'', false"})
  void shouldHearTheLineOnlyWhenItIsForTheNamespace(String namespace, boolean granted) {
    NamePolicy policy = cluster(allow(namespace, "example.org"));

    assertThat(policy.decide(SHOP, dns("example.org"), false) instanceof NameDecision.Allowed)
        .isEqualTo(granted);
  }

  @ParameterizedTest
  @CsvSource({
    "spiffe://cluster.local/ns/*/sa/web, spiffe://cluster.local/ns/bank/sa/web, true",
    "spiffe://other.org/ns/*/sa/*, spiffe://other.org/ns/a/sa/b, true",
    "spiffe://*/ns/shop/sa/web, spiffe://other.org/ns/shop/sa/web, false",
    "spiffe://cluster.local/*, spiffe://cluster.local/ns/bank/sa/web, false",
    "spiffe://cluster.local/ns/ba*/sa/web, spiffe://cluster.local/ns/bank/sa/web, false",
    "*, spiffe://cluster.local/ns/bank/sa/web, false",
    "https://example.org/x, https://example.org/x, true",
    "https://example.org/*, https://example.org/x, false",
  })
  void shouldMatchUrisBySegmentsOnly(String pattern, String asked, boolean granted) {
    NamePolicy policy = cluster(allow("shop", pattern));

    assertThat(policy.decide(SHOP, uri(asked), false) instanceof NameDecision.Allowed)
        .isEqualTo(granted);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1, true",
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "10.0.0.0/31, 10.0.0.2, false",
    "0.0.0.0/0, ::1, false",
    "2001:db8::/32, 2001:db8:1::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "10.0.0.0/33, 10.0.0.0, false",
    "10.0.0.0/x, 10.0.0.0, false",
    "'*', 10.0.0.1, false",
  })
  void shouldMatchIpAddressesByBlocks(String pattern, String asked, boolean granted) {
    NamePolicy policy = cluster(allow("shop", pattern));

    assertThat(policy.decide(SHOP, ip(asked), false) instanceof NameDecision.Allowed)
        .isEqualTo(granted);
  }

  @Test
  void shouldCutTheNameInTheMessageWhenItIsHuge() {
    NameDecision decision = CLUSTER.decide(SHOP, dns("a".repeat(1_000_000)), false);

    assertThat(((NameDecision.Denied) decision).message()).hasSizeLessThan(400);
  }

  private static NamePolicy cluster(AllowEntry... allow) {
    return new NamePolicy(IssuerScope.CLUSTER, "cluster.local", "cluster.local", List.of(allow));
  }

  /** The pattern in every list: none may match a name of another kind. */
  private static AllowEntry allow(String namespace, String pattern) {
    List<String> one = List.of(pattern);
    return new AllowEntry(List.of(namespace), one, one, one);
  }

  private static void assertDenied(NameDecision decision, String name, String why) {
    assertThat(decision).isInstanceOf(NameDecision.Denied.class);
    NameDecision.Denied denied = (NameDecision.Denied) decision;
    assertThat(denied.name()).isEqualTo(name);
    assertThat(denied.why()).contains(why);
  }

  private static CertificateNames dns(String... names) {
    return CertificateNames.ofDns(List.of(names));
  }

  private static CertificateNames uri(String uri) {
    return new CertificateNames("", null, null, Collections.singletonList(uri));
  }

  private static CertificateNames ip(String ip) {
    return new CertificateNames("", null, Collections.singletonList(ip), null);
  }
}
