package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbesTest {

  private final Injector injector = new Injector(Pods.SETTINGS, new Cluster());

  @Test
  void shouldResolveANameWithinItsOwnContainerOnly() {
    ObjectNode pod =
        Pods.mutated(
            injector,
            Pods.pod(
                """
                containers:
                - {name: a, ports: [{name: http, containerPort: 8080}]}
                - name: b
                  ports: [{name: http, containerPort: 9090}]
                  readinessProbe: {tcpSocket: {port: http}}
                """));
    assertThat(Pods.variable(pod, 1, "POSTERN_PROBES"))
        .isEqualTo("[{\"kind\":\"tcp\",\"port\":9090,\"timeoutSeconds\":1}]");
  }

  @Test
  void shouldKeepTheHostWhenItIsIpv6() {
    ObjectNode pod =
        Pods.mutated(
            injector,
            Pods.pod(
                "containers: [{name: a, livenessProbe: {httpGet: {port: 80, host: \"fd00::5\"}}}]"));
    assertThat(Pods.variable(pod, 1, "POSTERN_PROBES"))
        .contains("\"host\":\"fd00::5\"", "\"path\":\"/\"", "\"scheme\":\"HTTP\"");
  }

  @Test
  void shouldTakeANumberInQuotesAndAPathWithoutSlashAsTheKubeletDoes() {
    ObjectNode pod =
        Pods.mutated(
            injector,
            Pods.pod(
                "containers: [{name: a, livenessProbe: {httpGet: {port: \"80\", path: ok}}}]"));
    assertThat(Pods.variable(pod, 1, "POSTERN_PROBES")).contains("\"port\":80", "\"path\":\"/ok\"");
  }

  @Test
  void shouldRewriteHooksAndLeaveExecAndSleepAlone() {
    ObjectNode pod =
        Pods.mutated(
            injector,
            Pods.pod(
                """
                containers:
                - name: a
                  livenessProbe: {exec: {command: [a]}}
                  lifecycle:
                    postStart: {httpGet: {port: 80, path: /started}}
                    preStop: {sleep: {seconds: 3}}
                """));
    assertThat(pod.at("/spec/containers/0"))
        .isEqualTo(
            Pods.yaml(
                """
                name: a
                livenessProbe: {exec: {command: [a]}}
                lifecycle:
                  postStart: {httpGet: {port: 15090, path: /probe/0, scheme: HTTP}}
                  preStop: {sleep: {seconds: 3}}
                """));
    assertThat(Pods.variable(pod, 1, "POSTERN_PROBES"))
        .contains("/started", "\"timeoutSeconds\":30");
  }

  @Test
  void shouldLeaveOrdinaryInitContainersOutOfThePorts() {
    ObjectNode pod =
        Pods.mutated(
            injector,
            Pods.pod("initContainers: [{name: a, image: a, ports: [{containerPort: 7}]}]"));
    assertThat(Pods.variable(pod, 1, "POSTERN_PORTS")).isEmpty();
  }

  @Test
  void shouldLetNoValueBeExpandedByTheKubelet() {
    ObjectNode pod =
        Pods.mutated(
            injector,
            Pods.pod(
                "containers: [{name: a, livenessProbe: {httpGet: {port: 80, path: /$(X)$$(Y)}}}]"));
    assertThat(Pods.variable(pod, 1, "POSTERN_PROBES")).doesNotContain("$");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "grpc: {port: 80} | grpc",
        "httpGet: {port: web} | no port of this container is named \"web\"",
        "httpGet: {port: 0} | port 0",
        "tcpSocket: {port: 65536} | port 65536",
        "httpGet: {port: 15090, path: /probe/0} | port 15090 is the sidecar's own",
        "tcpSocket: {port: 15443} | port 15443 is the sidecar's own",
        "httpGet: {port: 80, path: \"/a\\r\\nX: y\"} | control character",
        "httpGet: {port: 80, host: \"a\\nb\"} | control character",
        "httpGet: {port: 80, httpHeaders: [{name: a, value: \"b\\r\\nc: d\"}]} | control character",
      })
  void shouldRefuseAndNameTheProbeWhenItCannotBePerformed(String handler, String said) {
    ObjectNode pod = Pods.pod("containers: [{name: a, readinessProbe: {" + handler + "}}]");
    assertThat(Pods.refused(injector, pod).message())
        .startsWith("container a, readinessProbe")
        .contains(said);
  }

  @Test
  void shouldRefuseWhenProbesTakeTooMuchRoom() {
    ObjectNode pod = Pods.pod("{}");
    ((ObjectNode) pod.at("/spec/containers/0"))
        .withObject("/livenessProbe/httpGet")
        .put("port", 80)
        .put("path", "/" + "a".repeat(1 << 20));
    assertThat(Pods.refused(injector, pod).message()).contains("probes", "32768");
  }
}
