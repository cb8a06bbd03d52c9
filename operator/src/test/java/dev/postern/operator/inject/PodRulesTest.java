package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodRulesTest {

  private final Cluster cluster = new Cluster();
  private final Injector injector = new Injector(Pods.SETTINGS, cluster);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hostNetwork: true | hostNetwork",
        "containers: [{name: a, ports: [{containerPort: 80, hostPort: 8080}]}] | hostPort 8080",
        "initContainers: [{name: a, ports: [{containerPort: 80, hostPort: 81}]}] | hostPort 81",
        "os: {name: windows} | windows",
        "securityContext: {runAsUser: 15443} | runAsUser 15443",
        "containers: [{name: a, securityContext: {runAsUser: 15443}}] | runAsUser 15443",
        "initContainers: [{name: a, securityContext: {runAsUser: 15443}}] | runAsUser 15443",
        "containers: [{name: a, volumeMounts: [{name: postern-identity, mountPath: /k}]}]"
            + " | postern-identity",
        "initContainers: [{name: a, volumeMounts: [{name: postern-run, mountPath: /k}]}]"
            + " | postern-run",
        "containers: [{name: a, ports: [{containerPort: 15443}]}] | port 15443",
        "containers: [{name: a, ports: [{containerPort: 15090}]}] | port 15090",
        "containers: [{name: a, ports: [{containerPort: 70000}]}] | containerPort",
      })
  void shouldRefuseAndNameTheFieldWhenAPodCannotBeGuarded(String spec, String named) {
    assertThat(Pods.refused(injector, Pods.pod(spec)).message()).contains(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shareProcessNamespace: true | shareProcessNamespace",
        "hostPID: true | hostPID",
        "containers: [{name: a, securityContext: {privileged: true}}] | NET_ADMIN",
        "containers: [{name: a, securityContext: {capabilities: {add: [NET_ADMIN]}}}] | NET_ADMIN",
        "containers: [{name: a, securityContext: {capabilities: {add: [cap_all]}}}] | NET_ADMIN",
        "containers: [{name: a, ports: [{containerPort: 9, protocol: SCTP}]}] | SCTP ports 9",
      })
  void shouldWarnWhenAPodCanUndoItsGuard(String spec, String warning) {
    Outcome.Patched patched = (Outcome.Patched) injector.mutate(Pods.NAMESPACE, Pods.pod(spec));
    assertThat(patched.warnings()).singleElement().asString().contains(warning);
  }

  @Test
  void shouldNotWarnWhenAPodIsOrdinary() {
    Outcome.Patched patched = (Outcome.Patched) injector.mutate(Pods.NAMESPACE, Pods.pod("{}"));
    assertThat(patched.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"baseline", "restricted"})
  void shouldRefuseWithTheLineToWriteWhenPodSecurityForbidsNetAdmin(String level) {
    cluster.namespaceLabels.put("pod-security.kubernetes.io/enforce", level);
    assertThat(Pods.refused(injector, Pods.pod("{}")).message())
        .contains(level, "pod-security.kubernetes.io/enforce=privileged", "postern.dev/capture");
  }

  @Test
  void shouldRefuseWhenTheNamedPolicyIsMissing() {
    assertThat(Pods.refused(injector, Pods.annotated("policy", "absent")).message())
        .isEqualTo("postern.dev/policy: there is no TLSPolicy absent in shop");
  }

  @Test
  void shouldRefuseWhenTheNamedCertificateIsMissing() {
    assertThat(Pods.refused(injector, Pods.annotated("certificate", "absent")).message())
        .isEqualTo("postern.dev/certificate: there is no Certificate absent in shop");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spiffe://cluster.local/ns/shop/sa/admin",
        "spiffe://cluster.local/ns/bank/sa/default",
        "spiffe://other/ns/shop/sa/default",
        "spiffe://cluster.local/ns/shop/sa/default,spiffe://cluster.local/ns/shop/sa/admin",
        "https://example.org"
      })
  void shouldRefuseWhenTheNamedCertificateIsAnothers(String uris) {
    cluster.certificates.put(
        "tls", new ClusterFacts.NamedCertificate("s", List.of(uris.split(",", -1))));
    assertThat(Pods.refused(injector, Pods.annotated("certificate", "tls")).message())
        .contains("Certificate tls", "the pod's own: spiffe://cluster.local/ns/shop/sa/default");
  }

  @Test
  void shouldRefuseAndSayTryAgainWhenTheClusterGivesNoAnswer() {
    ClusterFacts silent =
        new Cluster() {
          @Override
          public java.util.Map<String, String> namespaceLabels(String namespace) {
            throw new LookupFailedException("namespace " + namespace + ": no answer", null);
          }
        };
    ObjectNode pod = Pods.pod("{}");
    Outcome.Refused refused = Pods.refused(new Injector(Pods.SETTINGS, silent), pod);
    assertThat(refused.code()).isEqualTo(503);
    assertThat(refused.message()).contains("namespace shop: no answer", "try again");
  }
}
