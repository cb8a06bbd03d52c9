package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PodAnnotationsTest {

  private final Injector injector = new Injector(Pods.SETTINGS, new Cluster());

  static Stream<Arguments> wrongValues() {
    return Stream.of(
        Arguments.of("inject", "yes"),
        Arguments.of("inject", "True"),
        Arguments.of("policy", "../../etc/passwd"),
        Arguments.of("policy", "Strict"),
        Arguments.of("policy", ""),
        Arguments.of("certificate", "a b"),
        Arguments.of("certificate", "-a"),
        Arguments.of("ports", "eth0 -j ACCEPT"),
        Arguments.of("ports", "8080; rm"),
        Arguments.of("ports", "8080\n9090"),
        Arguments.of("ports", "8080,"),
        Arguments.of("ports", "0"),
        Arguments.of("ports", "65536"),
        Arguments.of("ports", "-1"),
        Arguments.of("ports", "٨٠"),
        Arguments.of("ports", "8443=8080"),
        Arguments.of("ports", "1,".repeat(64) + "1"),
        Arguments.of("ports", "8".repeat(1 << 20)),
        Arguments.of("capture", "none"),
        Arguments.of("cpu", "0"),
        Arguments.of("cpu", "100000m"),
        Arguments.of("cpu", "1e3"),
        Arguments.of("memory", "31Mi"),
        Arguments.of("memory", "65Gi"),
        Arguments.of("memory", "128Mi\u0000"),
        Arguments.of("log-level", "trace"));
  }

  @ParameterizedTest
  @MethodSource("wrongValues")
  void shouldRefuseAndNameKeyAndAllowedValuesWhenAValueIsWrong(String key, String value) {
    Outcome.Refused refused = Pods.refused(injector, Pods.annotated(key, value));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message()).contains("postern.dev/" + key, "allowed: ").hasSizeLessThan(300);
    assertThat(refused.message().chars()).noneMatch(Character::isISOControl);
  }

  @Test
  void shouldSayThatPortsComesLaterWhenCaptureIsPorts() {
    assertThat(Pods.refused(injector, Pods.annotated("capture", "ports")).message())
        .isEqualTo(
            "annotation postern.dev/capture: \"ports\" is not allowed; allowed: redirect (the one"
                + " value in this version; ports comes in a later one)");
  }

  @ParameterizedTest
  @CsvSource({
    "polcy, policy",
    "injct, inject",
    "port, ports",
    "loglevel, log-level",
    "memry, memory",
    "certificates, certificate",
    "Inject, inject"
  })
  void shouldNameTheNearestKeyWhenAKeyIsUnknown(String unknown, String nearest) {
    assertThat(Pods.refused(injector, Pods.annotated(unknown, "x")).message())
        .isEqualTo(
            "annotation \"postern.dev/%s\" is unknown; the nearest known one is postern.dev/%s"
                .formatted(unknown, nearest));
  }

  @Test
  void shouldBoundTheMessageWhenAKeyIsAMegabyteLong() {
    Outcome.Refused refused =
        Pods.refused(injector, Pods.annotated("x".repeat(1 << 20), "y".repeat(1 << 20)));
    assertThat(refused.message()).hasSizeLessThan(200);
  }

  @Test
  void shouldRefuseALabelThatShouldBeAnAnnotation() {
    ObjectNode pod = Pods.pod("{}");
    pod.withObject("/metadata/labels").put("postern.dev/inject", "true");
    assertThat(Pods.refused(injector, pod).message())
        .contains("label \"postern.dev/inject\"", "annotation: postern.dev/inject");
  }

  @Test
  void shouldCheckTheKeysWhenThePodIsNotInjected() {
    ObjectNode pod = Pods.annotated("inject", "false");
    pod.withObject("/metadata/annotations").put("postern.dev/polcy", "x");
    assertThat(Pods.refused(injector, pod).message()).contains("postern.dev/polcy");
  }

  @Test
  void shouldLetForeignAnnotationsPass() {
    ObjectNode pod = Pods.pod("{}");
    pod.withObject("/metadata/annotations").put("example.org/postern.dev", "x; rm");
    assertThat(injector.mutate(Pods.NAMESPACE, pod)).isInstanceOf(Outcome.Patched.class);
  }

  @Test
  void shouldSortPortsAndDropDoublesWhenTheUserNamesThem() {
    ObjectNode pod = Pods.mutated(injector, Pods.annotated("ports", "9090,80,9090"));
    assertThat(Pods.variable(pod, 1, "POSTERN_PORTS")).isEqualTo("80,9090");
    assertThat(Pods.variable(pod, 1, "POSTERN_LOOPBACK_PORTS")).isEqualTo("80,9090");
  }
}
