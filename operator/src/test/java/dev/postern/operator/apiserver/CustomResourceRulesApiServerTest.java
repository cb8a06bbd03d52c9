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
        "TLSPolicy | {peers: [{dns: 'a.*'}]} | dns",
        "TLSPolicy | {records: kTLS} | records",
        "TLSPolicy | {io: iouring} | io",
        "TLSPolicy | {kernelRecordsPercent: 101} | kernelRecordsPercent",
        "TLSPolicy | {cipherSuites: []} | cipherSuites",
        "TLSPolicy | {cipherSuites: [AES128-SHA]} | cipherSuites",
        "TLSPolicy | {cipherSuites: [TLS_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256]} | one twice",
        "TLSPolicy | {minVersion: TLS1.3, cipherSuites: [ECDHE-RSA-AES128-GCM-SHA256]} | starts with",
        "TLSPolicy | {groups: [P-192]} | groups",
        "TLSPolicy | {groups: [X25519, X25519]} | groups names one twice",
        "TLSPolicy | {alpn: ['']} | alpn",
        "TLSPolicy | {alpn: [h2, h2]} | alpn names one twice",
        "TLSPolicy | {proxyProtocol: V1} | proxyProtocol",
        "TLSPolicy | {resumption: Maybe} | resumption",
        "TLSPolicy | {limits: {handshakeTimeout: 0s}} | between 1s and 5m",
        "TLSPolicy | {limits: {handshakeTimeout: 5m1s}} | between 1s and 5m",
        "TLSPolicy | {limits: {idleTimeout: 25h}} | between 1s and 24h",
        "TLSPolicy | {limits: {maxAge: ''}} | maxAge",
        "TLSPolicy | {limits: {maxAge: 30d}} | maxAge",
        "TLSPolicy | {limits: {maxConnections: 0}} | maxConnections"
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
        "TLSPolicy | {peers: [{spiffe: 'spiffe://td/ns/*/sa/b'}, {dns: '*.shop.svc'}]}",
        "TLSPolicy | {records: kernel-tx, io: io_uring, kernelRecordsPercent: 0,"
            + " expectKeyUpdates: true, minVersion: TLS1.3, cipherSuites: [TLS_AES_256_GCM_SHA384],"
            + " groups: [X25519MLKEM768, P-256], alpn: [h2, http/1.1], proxyProtocol: V2,"
            + " resumption: 'Off', limits: {handshakeTimeout: 5m, idleTimeout: 1h30m, maxAge: 720h,"
            + " maxConnections: 100}}"
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
        .containsEntry("records", "auto")
        .containsEntry("io", "auto")
        .containsEntry("kernelRecordsPercent", 100)
        .containsEntry("expectKeyUpdates", false)
        .containsEntry("proxyProtocol", "Off")
        .containsEntry("resumption", "On")
        .doesNotContainKeys("peers", "cipherSuites", "groups", "alpn", "limits");
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
