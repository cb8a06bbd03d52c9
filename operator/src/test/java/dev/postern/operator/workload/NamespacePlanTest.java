package dev.postern.operator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.crds.Api;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.PeerRule;
import dev.postern.crds.ResolvedPolicy;
import dev.postern.crds.TlsPolicy;
import dev.postern.crds.TlsPolicySpec;
import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NamespacePlanTest {

  private static final Instant EARLY = Instant.parse("2026-12-01T12:00:00Z");
  private static final Instant LATE = Instant.parse("2026-12-01T13:00:00Z");
  private static final LabelSelector WEB =
      new LabelSelectorBuilder().addToMatchLabels("app", "web").build();

  @Test
  void shouldGiveEachWorkloadItsOwnIdentityThoughTheyShareAServiceAccount() {
    NamespacePlan plan =
        plan(
            List.of(pod("web-1", "web", EARLY), pod("db-1", "db", EARLY)),
            List.of(service("web"), service("db")),
            List.of());
    assertThat(plan.workloads()).extracting(WorkloadPlan::workload).containsExactly("db", "web");
    CertificateSpec web = plan.workloads().get(1).identity().orElseThrow();
    assertThat(web.secretName()).isEqualTo("postern-id-web");
    assertThat(web.uris()).containsExactly("spiffe://td/ns/shop/sa/default");
    assertThat(web.dnsNames())
        .containsExactly("web", "web.shop", "web.shop.svc", "web.shop.svc.cluster.example");
    assertThat(web.duration()).isEqualTo("24h");
  }

  @Test
  void shouldTakeNoNameOfAServiceThatSelectsOthersOrNothing() {
    Service none =
        new ServiceBuilder(service("none")).editSpec().withSelector(null).endSpec().build();
    Service external =
        new ServiceBuilder(service("web")).editSpec().withType("ExternalName").endSpec().build();
    NamespacePlan plan =
        plan(
            List.of(pod("web-1", "web", EARLY)), List.of(service("db"), none, external), List.of());
    assertThat(identity(plan).dnsNames()).isEmpty();
  }

  @Test
  void shouldKeepWithinTheLimitOfNames() {
    List<Service> services =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    new ServiceBuilder(service("web"))
                        .editMetadata()
                        .withName("s" + i)
                        .endMetadata()
                        .build())
            .toList();
    NamespacePlan plan = plan(List.of(pod("web-1", "web", EARLY)), services, List.of());
    assertThat(identity(plan).dnsNames()).hasSize(100);
  }

  @Test
  void shouldPlanNothingForPodsThatHaveEnded() {
    PodView ended = new PodView("job-1", "job", "default", Map.of(), "", "", EARLY, true);
    assertThat(plan(List.of(ended), List.of(), List.of()).workloads()).isEmpty();
  }

  @Test
  void shouldMakeNoIdentityWhereThePodNamesACertificate() {
    PodView pod =
        new PodView("web-1", "web", "default", Map.of("app", "web"), "", "own", EARLY, false);
    assertThat(plan(List.of(pod), List.of(), List.of()).workloads().getFirst().identity())
        .isEmpty();
  }

  @Test
  void shouldFollowTheNewestPodWhenTheTemplateChanges() {
    PodView old = new PodView("web-9", "web", "old", Map.of(), "", "", EARLY, false);
    PodView young = new PodView("web-1", "web", "new", Map.of(), "", "", LATE, false);
    assertThat(identity(plan(List.of(young, old), List.of(), List.of())).uris())
        .containsExactly("spiffe://td/ns/shop/sa/new");
  }

  @Test
  void shouldBeStrictForTheOwnTrustDomainWithoutAPolicy() {
    NamespacePlan plan = plan(List.of(pod("web-1", "web", EARLY)), List.of(), List.of());
    assertThat(plan.workloads().getFirst().policy().toJson())
        .contains(
            "\"mode\":\"Strict\",\"minVersion\":\"TLS1.2\",\"clientCertificate\":\"Required\","
                + "\"trustDomain\":\"td\",\"peers\":null,");
  }

  @Test
  void shouldLetTheOldestPolicyWinWhateverItsName() {
    TlsPolicy strict = policy("z-old", EARLY, WEB, Mode.Strict, List.of());
    TlsPolicy loose = policy("a-new", LATE, WEB, Mode.Disabled, null);
    NamespacePlan plan =
        plan(List.of(pod("web-1", "web", EARLY)), List.of(), List.of(loose, strict));
    assertThat(plan.workloads().getFirst().policy().mode()).isEqualTo(Mode.Strict);
    assertThat(plan.workloads().getFirst().policy().peers()).isEmpty();
    PolicyReport beaten = plan.policies().getFirst();
    assertThat(beaten.conflicted()).isTrue();
    assertThat(beaten.ready()).isFalse();
    assertThat(beaten.message()).contains("web").contains("z-old");
    assertThat(plan.policies().get(1).reason()).isEqualTo("InForce");
  }

  @Test
  void shouldTakeNoFieldOfANewerPolicyThatSelectsTheSamePods() {
    TlsPolicy old = policy("old", EARLY, WEB, Mode.Strict, null);
    TlsPolicy young =
        policy(
            "young",
            LATE,
            "{podSelector: {matchLabels: {app: web}}, records: openssl,"
                + " limits: {idleTimeout: 24h}}");
    NamespacePlan plan = plan(List.of(pod("web-1", "web", EARLY)), List.of(), List.of(young, old));
    ResolvedPolicy policy = plan.workloads().getFirst().policy();
    assertThat(policy.path().records()).isEqualTo(TlsPolicySpec.Records.AUTO);
    assertThat(policy.limits().idleSeconds()).isEqualTo(3600);
  }

  @Test
  void shouldLetNobodyInUnderAPolicyThatCannotBeEnforcedAndSayWhy() {
    TlsPolicy wrong =
        policy(
            "wrong",
            EARLY,
            "{podSelector: {matchLabels: {app: web}}, mode: Permissive,"
                + " limits: {handshakeTimeout: 6m}}");
    NamespacePlan plan = plan(List.of(pod("web-1", "web", EARLY)), List.of(), List.of(wrong));
    assertThat(plan.workloads().getFirst().policy().mode()).isEqualTo(Mode.Strict);
    assertThat(plan.workloads().getFirst().policy().peers()).isEmpty();
    assertThat(plan.workloads().getFirst().policyOnlyIfAbsent()).isFalse();
    PolicyReport report = plan.policies().getFirst();
    assertThat(report.ready()).isFalse();
    assertThat(report.reason()).isEqualTo("InvalidSpec");
    assertThat(report.message())
        .contains("limits.handshakeTimeout: 6m is not between 1s and 5m")
        .contains("nobody");
  }

  @Test
  void shouldLetANamedPolicyWinOverAnOlderOneThatSelects() {
    TlsPolicy selecting = policy("selecting", EARLY, WEB, Mode.Permissive, null);
    TlsPolicy named = policy("named", LATE, null, Mode.Strict, List.of());
    PodView pod =
        new PodView("web-1", "web", "default", Map.of("app", "web"), "named", "", EARLY, false);
    NamespacePlan plan = plan(List.of(pod), List.of(), List.of(selecting, named));
    assertThat(plan.workloads().getFirst().policy().mode()).isEqualTo(Mode.Strict);
    assertThat(plan.policies().getFirst().reason()).isEqualTo("NoPods");
  }

  @Test
  void shouldLetNobodyInWhenTheNamedPolicyIsGone() {
    PodView pod = new PodView("web-1", "web", "default", Map.of(), "gone", "", EARLY, false);
    WorkloadPlan plan = plan(List.of(pod), List.of(), List.of()).workloads().getFirst();
    assertThat(plan.policy().peers()).isEmpty();
    assertThat(plan.policyOnlyIfAbsent()).isTrue();
  }

  @Test
  void shouldRaiseAPolicyToTheFloorAndSayIt() {
    TlsPolicy loose = policy("loose", EARLY, WEB, Mode.Disabled, null);
    WorkloadSettings floors =
        new WorkloadSettings(
            "td",
            "cluster.example",
            "postern",
            "24h",
            Mode.Permissive,
            MinVersion.TLS1_3,
            Duration.ofMinutes(10));
    NamespacePlan plan =
        NamespacePlan.of(
            new NamespaceView(
                "shop", List.of(pod("web-1", "web", EARLY)), List.of(), List.of(loose)),
            floors);
    assertThat(plan.workloads().getFirst().policy().mode()).isEqualTo(Mode.Permissive);
    assertThat(plan.workloads().getFirst().policy().minVersion()).isEqualTo(MinVersion.TLS1_3);
    assertThat(plan.policies().getFirst().message()).contains("floor");
  }

  @Test
  void shouldSayWhatIsWrongWithASelector() {
    LabelSelector wrong =
        new LabelSelectorBuilder()
            .addNewMatchExpression()
            .withKey("app")
            .withOperator("Within")
            .endMatchExpression()
            .build();
    PolicyReport report =
        plan(
                List.of(pod("web-1", "web", EARLY)),
                List.of(),
                List.of(policy("wrong", EARLY, wrong, Mode.Disabled, null)))
            .policies()
            .getFirst();
    assertThat(report.ready()).isFalse();
    assertThat(report.reason()).isEqualTo("InvalidSpec");
    assertThat(report.message()).contains("Within").contains("NotIn");
  }

  private static CertificateSpec identity(NamespacePlan plan) {
    return plan.workloads().getFirst().identity().orElseThrow();
  }

  private static NamespacePlan plan(
      List<PodView> pods, List<Service> services, List<TlsPolicy> policies) {
    return NamespacePlan.of(
        new NamespaceView("shop", pods, services, policies),
        new WorkloadSettings(
            "td",
            "cluster.example",
            "postern",
            "24h",
            Mode.Disabled,
            MinVersion.TLS1_2,
            Duration.ofMinutes(10)));
  }

  private static PodView pod(String name, String workload, Instant created) {
    Map<String, String> labels = Map.of("app", workload, Api.WORKLOAD_LABEL, workload);
    return new PodView(name, workload, "default", labels, "", "", created, false);
  }

  private static Service service(String name) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addToSelector("app", name)
        .endSpec()
        .build();
  }

  private static TlsPolicy policy(
      String name, Instant created, LabelSelector selector, Mode mode, List<PeerRule> peers) {
    return policy(name, created, new TlsPolicySpec(selector, mode, null, null, peers));
  }

  private static TlsPolicy policy(String name, Instant created, String spec) {
    return policy(
        name, created, Serialization.unmarshal("spec: " + spec, TlsPolicy.class).getSpec());
  }

  private static TlsPolicy policy(String name, Instant created, TlsPolicySpec spec) {
    TlsPolicy policy = new TlsPolicy();
    policy.setMetadata(
        new ObjectMetaBuilder().withName(name).withCreationTimestamp(created.toString()).build());
    policy.setSpec(spec);
    return policy;
  }
}
