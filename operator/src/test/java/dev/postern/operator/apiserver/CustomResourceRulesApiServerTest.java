package dev.postern.operator.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server itself refuses, by the rules in the shipped CRDs. */
@ExtendWith(ApiServerExtension.class)
class CustomResourceRulesApiServerTest {

  private static KubernetesClient client;

  @BeforeAll
  static void take(KubernetesClient apiServer) {
    client = apiServer;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Issuer | {} | exactly one of selfSigned and ca",
        "Issuer | {selfSigned: {}, ca: {secretName: x}} | exactly one of selfSigned and ca",
        "Issuer | {ca: {}} | secretName",
        "ClusterIssuer | {selfSigned: {}, allow: [{dnsNames: [a]}]} | namespaces",
        "Certificate | {secretName: a, issuerRef: {name: b}} | at least one of dnsNames",
        "Certificate | {secretName: a, issuerRef: {name: b}, dnsNames: []} | at least one of",
        "Certificate | {issuerRef: {name: b}, dnsNames: [x]} | secretName",
        "Certificate | {secretName: a, issuerRef: {name: b}, dnsNames: [x], duration: 1d} | duration",
        "Certificate | {secretName: a, issuerRef: {name: b, kind: X}, dnsNames: [x]} | kind",
        "Certificate | {secretName: a, issuerRef: {name: b}, dnsNames: [x],"
            + " privateKey: {algorithm: RSA, size: 1024}} | size is",
        "Certificate | {secretName: a, issuerRef: {name: b}, dnsNames: [x],"
            + " renewBefore: 1h, renewBeforePercentage: 5} | at most one of",
        "TLSPolicy | {mode: strict} | mode",
        "TLSPolicy | {minVersion: TLS1.1} | minVersion",
        "TLSPolicy | {peers: [{}]} | exactly one of spiffe and dns",
        "TLSPolicy | {peers: [{spiffe: 'spiffe://*/ns/a/sa/b'}]} | spiffe",
        "TLSPolicy | {peers: [{spiffe: 'spiffe://td/ns/a*/sa/b'}]} | spiffe",
        "TLSPolicy | {peers: [{spiffe: 'spiffe://td/../sa'}]} | spiffe",
        "TLSPolicy | {peers: [{dns: 'a.*'}]} | dns"
      })
  void shouldRefuse(String kind, String spec, String why) {
    assertThatThrownBy(() -> tryOut(kind, spec))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Issuer | {selfSigned: {}}",
        "ClusterIssuer | {ca: {secretName: x}, allow: [{namespaces: ['*'], uris: ['spiffe://a/b']}]}",
        "Certificate | {secretName: a, issuerRef: {name: b}, uris: ['spiffe://a/b'], duration: 1h30m}",
        "Certificate | {secretName: a, issuerRef: {name: b}, dnsNames: [x], isCA: true}",
        "TLSPolicy | {peers: [{spiffe: 'spiffe://td/ns/*/sa/b'}, {dns: '*.shop.svc'}]}"
      })
  void shouldTake(String kind, String spec) {
    assertThat(tryOut(kind, spec).getMetadata().getUid()).isNotEmpty();
  }

  @Test
  void shouldTellAbsentPeersFromEmptyOnesAndFillInTheDefaults() {
    Map<String, Object> absent = tryOut("TLSPolicy", "{}").get("spec");
    assertThat(absent)
        .containsEntry("mode", "Strict")
        .containsEntry("minVersion", "TLS1.2")
        .containsEntry("clientCertificate", "Required")
        .doesNotContainKey("peers");
    Map<String, Object> empty = tryOut("TLSPolicy", "{peers: []}").get("spec");
    assertThat(empty).containsEntry("peers", List.of());
  }

  /** Through all of the API server's checks, but nothing is kept. */
  private static GenericKubernetesResource tryOut(String kind, String spec) {
    String namespace = kind.equals("ClusterIssuer") ? "" : ", namespace: default";
    String yaml =
        """
        apiVersion: postern.dev/v1alpha1
        kind: %s
        metadata: {name: tried%s}
        spec: %s
        """
            .formatted(kind, namespace, spec);
    GenericKubernetesResource resource =
        client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
    return client.resource(resource).dryRun().create();
  }
}
