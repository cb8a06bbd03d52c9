package dev.postern.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartTest {

  @ParameterizedTest
  @CsvSource({
    "sidecar.imaje.tag, x, imaje",
    "floors.minVersion, TLS1.1, minVersion",
    "sidecar.seccompProfile, None, seccompProfile",
    "webhook.replicas, 0, replicas",
    "image.digest, sha256:abc, digest"
  })
  void shouldRefuseAValueThatCannotBeAndNameIt(String key, String value, String named) {
    assertThatThrownBy(() -> Chart.rendered(key, value)).hasMessageContaining(named);
  }

  @Test
  void shouldNeverSetCaBundle() {
    Chart chart = Chart.rendered();
    assertThat(chart.named(MutatingWebhookConfiguration.class, "postern").getWebhooks())
        .hasSize(2)
        .allMatch(webhook -> webhook.getClientConfig().getCaBundle() == null);
    assertThat(chart.named(ValidatingWebhookConfiguration.class, "postern").getWebhooks())
        .hasSize(2)
        .allMatch(webhook -> webhook.getClientConfig().getCaBundle() == null);
  }

  @Test
  void shouldFailClosedButNeverInNamespacesOfTheCluster() {
    assertThat(Chart.rendered().named(MutatingWebhookConfiguration.class, "postern").getWebhooks())
        .allSatisfy(
            webhook -> {
              assertThat(webhook.getFailurePolicy()).isEqualTo("Fail");
              assertThat(webhook.getNamespaceSelector().getMatchExpressions())
                  .anySatisfy(
                      rule -> {
                        assertThat(rule.getOperator()).isEqualTo("NotIn");
                        assertThat(rule.getValues()).contains("kube-system", "postern-system");
                      });
            });
  }

  @Test
  void shouldGiveTheWebhookNoRightOnSecrets() {
    assertThat(rules(Chart.rendered(), "postern-webhook"))
        .isNotEmpty()
        .allSatisfy(rule -> assertThat(rule.getResources()).doesNotContain("secrets", "*"))
        .allSatisfy(rule -> assertThat(rule.getVerbs()).containsOnly("get"));
  }

  @Test
  void shouldNeedNoClusterRoleOverNamespacedKindsWhenNamespacesAreWatched() {
    Chart chart = Chart.rendered("watchNamespaces[0]", "shop");
    assertThat(chart.all(ClusterRole.class))
        .flatExtracting(ClusterRole::getRules)
        .flatExtracting(PolicyRule::getResources)
        .containsOnly(
            "clusterissuers",
            "clusterissuers/status",
            "mutatingwebhookconfigurations",
            "validatingwebhookconfigurations",
            "namespaces");
    assertThat(chart.all(Role.class))
        .extracting(role -> role.getMetadata().getNamespace())
        .contains("shop", "postern-system");
  }

  @Test
  void shouldRunEveryContainerRestricted() {
    for (Deployment deployment : Chart.rendered().all(Deployment.class)) {
      var pod = deployment.getSpec().getTemplate().getSpec();
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      assertThat(pod.getContainers()).allSatisfy(ChartTest::assertRestricted);
    }
  }

  private static void assertRestricted(Container container) {
    SecurityContext security = container.getSecurityContext();
    assertThat(security.getAllowPrivilegeEscalation()).isFalse();
    assertThat(security.getReadOnlyRootFilesystem()).isTrue();
    assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(container.getResources().getLimits()).containsKey("memory");
  }

  @Test
  void shouldKeepCustomResourcesWhenTheReleaseGoes() {
    assertThat(crds(Chart.rendered()))
        .hasSize(4)
        .allMatch(
            crd ->
                "keep".equals(crd.getMetadata().getAnnotations().get("helm.sh/resource-policy")));
    assertThat(crds(Chart.rendered("crds.enabled", "false"))).isEmpty();
  }

  @Test
  void shouldProtectBothDeploymentsByABudget() {
    assertThat(Chart.rendered().all(PodDisruptionBudget.class))
        .extracting(budget -> budget.getMetadata().getName())
        .containsExactlyInAnyOrder("postern-operator", "postern-webhook");
  }

  @Test
  void shouldNameImagesByDigestWhenOneIsGiven() {
    String digest = "sha256:" + "ab".repeat(32);
    Deployment webhook =
        Chart.rendered("image.digest", digest, "sidecar.image.digest", digest)
            .named(Deployment.class, "postern-webhook");
    Container container = webhook.getSpec().getTemplate().getSpec().getContainers().get(0);
    assertThat(container.getImage()).endsWith("@" + digest);
    assertThat(container.getArgs()).anyMatch(argument -> argument.endsWith("sidecar@" + digest));
  }

  @Test
  void shouldTakeTheChartsOwnVersionWhenNoTagIsGiven() {
    String args =
        Chart.rendered("image.tag", "dev")
            .named(Deployment.class, "postern-webhook")
            .getSpec()
            .toString();
    assertThat(args).contains("postern-operator:dev").contains("postern-sidecar:0.1.0");
  }

  @Test
  void shouldLetTheOperatorChangeOnlyItsOwnLease() {
    assertThat(Chart.rendered().named(Role.class, "postern-operator-leader").getRules())
        .filteredOn(rule -> !rule.getVerbs().equals(List.of("create")))
        .isNotEmpty()
        .allSatisfy(
            rule -> assertThat(rule.getResourceNames()).containsExactly("postern-operator"));
  }

  private static List<HasMetadata> crds(Chart chart) {
    return chart.objects().stream()
        .filter(object -> object.getKind().equals("CustomResourceDefinition"))
        .toList();
  }

  private static List<PolicyRule> rules(Chart chart, String account) {
    return Stream.concat(
            chart.all(ClusterRole.class).stream()
                .filter(role -> role.getMetadata().getName().equals(account))
                .flatMap(role -> role.getRules().stream()),
            chart.all(Role.class).stream()
                .filter(role -> role.getMetadata().getName().startsWith(account))
                .flatMap(role -> role.getRules().stream()))
        .toList();
  }
}
