package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.crds.Api;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods whose author claims that they are injected already. */
class ForgedPodTest {

  private final Cluster cluster = new Cluster();
  private final Injector injector = new Injector(Pods.SETTINGS, cluster);

  static Stream<Arguments> forgeries() {
    return Stream.of(
        forgery("image", pod -> sidecar(pod).put("image", "evil")),
        forgery("args", pod -> sidecar(pod).set("args", Json.array("-x"))),
        forgery("command", pod -> redirect(pod).set("command", Json.array("true"))),
        forgery("privileged", pod -> security(sidecar(pod)).put("privileged", true)),
        forgery("runAsUser", pod -> security(sidecar(pod)).put("runAsUser", 0)),
        forgery("restartPolicy", pod -> sidecar(pod).remove("restartPolicy")),
        forgery("envFrom", pod -> sidecar(pod).set("envFrom", Json.array())),
        forgery("env", pod -> env(sidecar(pod), "JAVA_TOOL_OPTIONS", "-javaagent:x")),
        forgery("env", pod -> setVariable(pod, "POSTERN_LOOPBACK_PORTS", "22")),
        forgery("env", pod -> setVariable(pod, "POSTERN_LOG_LEVEL", "debug")),
        forgery("volumeMounts", pod -> ((ArrayNode) sidecar(pod).get("volumeMounts")).remove(0)),
        forgery("memory", pod -> sidecar(pod).withObject("/resources/limits").put("memory", "1Mi")),
        forgery("readinessProbe", pod -> sidecar(pod).remove("readinessProbe")),
        forgery("lifecycle", pod -> sidecar(pod).remove("lifecycle")),
        forgery("secretName", pod -> secret(pod).put("secretName", "postern-id-bank")),
        forgery("optional", pod -> secret(pod).put("optional", true)),
        forgery("label", pod -> pod.withObject("/metadata/labels").put(label(), "bank")),
        forgery("status", pod -> pod.withObject("/metadata/annotations").put(status(), "{}")));
  }

  @ParameterizedTest
  @MethodSource("forgeries")
  void shouldRefuseAndSayWhatDiffersWhenAPartIsNotOurs(Consumer<ObjectNode> forgery, String part) {
    ObjectNode pod = injected();
    forgery.accept(pod);
    assertThat(Pods.refused(injector, pod).message()).startsWith("the pod brings ").contains(part);
    assertThat(injector.validate(Pods.NAMESPACE, pod)).isInstanceOf(Outcome.Refused.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"postern", "postern-redirect"})
  void shouldRefuseAnOrdinaryContainerOfOurName(String name) {
    ObjectNode pod = Pods.pod("containers: [{name: " + name + ", image: x}]");
    assertThat(Pods.refused(injector, pod).message()).contains(name);
  }

  @Test
  void shouldRefuseOurPartsWhenThePodIsNotInjected() {
    for (String field : new String[] {label(), status()}) {
      ObjectNode pod = Pods.annotated("inject", "false");
      pod.withObject(field.equals(label()) ? "/metadata/labels" : "/metadata/annotations")
          .put(field, "web");
      assertThat(Pods.refused(injector, pod).message()).contains(field);
    }
    ObjectNode pod = injected();
    pod.withObject("/metadata/annotations").put("postern.dev/inject", "false");
    assertThat(Pods.refused(injector, pod).message()).contains("postern");
  }

  @Test
  void shouldRefuseTwoSidecars() {
    ObjectNode pod = injected();
    ((ArrayNode) pod.at("/spec/initContainers")).add(sidecar(pod).deepCopy());
    assertThat(Pods.refused(injector, pod).message()).contains("more than one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{}", "[1]", "[]"})
  void shouldRefuseWhenAProbePointsIntoNothing(String probes) {
    ObjectNode pod = injected();
    setVariable(pod, "POSTERN_PROBES", probes);
    assertThat(Pods.refused(injector, pod).message()).contains("POSTERN_PROBES");
  }

  @Test
  void shouldRefuseAForgedProbeOfTheSidecarItself() {
    ObjectNode pod = injected();
    setVariable(pod, "POSTERN_PROBES", "[{\"kind\":\"http\",\"port\":15090,\"path\":\"/x\"}]");
    assertThat(Pods.refused(injector, pod).message()).contains("15090");
  }

  @Test
  void shouldComputeForgedPortsAnew() {
    ObjectNode pod = injected();
    ObjectNode honest = pod.deepCopy();
    setVariable(pod, "POSTERN_PORTS", "22,8080");
    assertThat(Pods.mutated(injector, pod)).isEqualTo(honest);
    assertThat(injector.validate(Pods.NAMESPACE, pod)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void shouldDropForgedProbesThatNobodyAsksFor() {
    ObjectNode pod = injected();
    ObjectNode honest = pod.deepCopy();
    String probes = Pods.variable(pod, 1, "POSTERN_PROBES");
    setVariable(pod, "POSTERN_PROBES", probes.replace("]", ",{\"kind\":\"tcp\",\"port\":22}]"));
    assertThat(Pods.mutated(injector, pod)).isEqualTo(honest);
  }

  @Test
  void shouldRefuseAnEqualSidecarWhenTheAppMountsItsKey() {
    ObjectNode pod = injected();
    ((ObjectNode) pod.at("/spec/containers/0"))
        .set("volumeMounts", Json.array(Json.object("name", "postern-identity")));
    assertThat(Pods.refused(injector, pod).message()).contains("for the sidecar only");
  }

  private ObjectNode injected() {
    return Pods.mutated(
        injector,
        Pods.pod(
            "containers: [{name: a, ports: [{containerPort: 8080}],"
                + " livenessProbe: {tcpSocket: {port: 8080}}}]"));
  }

  private static Arguments forgery(String part, Consumer<ObjectNode> change) {
    return Arguments.of(Named.of(part, change), part);
  }

  private static ObjectNode redirect(JsonNode pod) {
    return (ObjectNode) Pods.init(pod, 0);
  }

  private static ObjectNode sidecar(JsonNode pod) {
    return (ObjectNode) Pods.init(pod, 1);
  }

  private static ObjectNode security(ObjectNode container) {
    return (ObjectNode) container.get("securityContext");
  }

  private static ObjectNode secret(JsonNode pod) {
    return (ObjectNode) pod.at("/spec/volumes/0/secret");
  }

  private static void env(ObjectNode container, String name, String value) {
    ((ArrayNode) container.get("env")).add(Json.object("name", name, "value", value));
  }

  private static void setVariable(ObjectNode pod, String name, String value) {
    for (JsonNode variable : sidecar(pod).get("env")) {
      if (variable.get("name").asText().equals(name)) {
        ((ObjectNode) variable).put("value", value);
      }
    }
  }

  private static String label() {
    return Api.WORKLOAD_LABEL;
  }

  private static String status() {
    return Api.STATUS;
  }
}
