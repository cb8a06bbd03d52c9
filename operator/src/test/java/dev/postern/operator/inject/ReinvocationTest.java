package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens to a pod between two looks: the API server's defaults, other webhooks. */
class ReinvocationTest {

  private final Cluster cluster = new Cluster();
  private final Injector injector = new Injector(Pods.SETTINGS, cluster);

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldChangeNothingTheSecondTime(long seed) {
    ObjectNode once = Pods.mutated(injector, new RandomPods(seed).next());
    assertThat(injector.mutate(Pods.NAMESPACE, once))
        .isEqualTo(new Outcome.Untouched(Outcome.Reason.ALREADY_INJECTED));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldPassValidationWhenTheServerHasFilledInItsDefaults(long seed) {
    ObjectNode stored = ApiServer.stored(Pods.mutated(injector, new RandomPods(seed).next()));
    assertThat(injector.validate(Pods.NAMESPACE, stored))
        .isEqualTo(new Outcome.Untouched(Outcome.Reason.ALREADY_INJECTED));
    assertThat(injector.mutate(Pods.NAMESPACE, stored))
        .isEqualTo(new Outcome.Untouched(Outcome.Reason.ALREADY_INJECTED));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldGiveTheSamePodWhenALaterWebhookAddedAContainer(long seed) {
    RandomPods random = new RandomPods(seed);
    ObjectNode pod = random.next();
    ObjectNode container = random.container("late");
    ObjectNode early = pod.deepCopy();
    ((ArrayNode) early.at("/spec/containers")).add(container.deepCopy());
    ObjectNode late = Pods.mutated(injector, pod);
    ((ArrayNode) late.at("/spec/containers")).add(container);
    assertThat(Pods.mutated(injector, late)).isEqualTo(Pods.mutated(injector, early));
  }

  @Test
  void shouldCatchThePortOfALaterContainer() {
    ObjectNode pod = Pods.mutated(injector, Pods.pod("{}"));
    ((ArrayNode) pod.at("/spec/containers"))
        .add(Pods.yaml("{name: late, ports: [{containerPort: 9999}]}"));
    assertThat(Pods.variable(Pods.mutated(injector, pod), 1, "POSTERN_PORTS")).isEqualTo("9999");
    assertThat(message(injector.validate(Pods.NAMESPACE, pod)))
        .contains("changed after its injection", "/spec/initContainers/1/env");
  }

  @Test
  void shouldComeFirstAgainWhenALaterWebhookPutItsInitContainerBefore() {
    ObjectNode pod = Pods.mutated(injector, Pods.pod("{}"));
    ((ArrayNode) pod.at("/spec/initContainers")).insert(0, Pods.yaml("{name: late, image: x}"));
    assertThat(message(injector.validate(Pods.NAMESPACE, pod))).contains("must be the first two");
    JsonNode again = Pods.mutated(injector, pod).at("/spec/initContainers");
    assertThat(again.findValuesAsText("image")).hasSize(3);
    assertThat(again.at("/0/name").asText()).isEqualTo("postern-redirect");
    assertThat(again.at("/1/name").asText()).isEqualTo("postern");
    assertThat(again.at("/2/name").asText()).isEqualTo("late");
  }

  @Test
  void shouldPutBackWhatALaterWebhookTook() {
    ObjectNode whole = Pods.mutated(injector, Pods.pod("{}"));
    ObjectNode pod = whole.deepCopy();
    ((ArrayNode) pod.at("/spec/volumes")).remove(3);
    ((ObjectNode) pod.get("metadata")).remove("labels");
    assertThat(Pods.mutated(injector, pod)).isEqualTo(whole);
    assertThat(injector.validate(Pods.NAMESPACE, pod)).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void shouldAdmitAVolumeThatALaterWebhookAdded() {
    ObjectNode pod = Pods.mutated(injector, Pods.pod("{}"));
    ((ArrayNode) pod.at("/spec/volumes")).insert(2, Pods.yaml("{name: late, emptyDir: {}}"));
    assertThat(injector.validate(Pods.NAMESPACE, pod)).isInstanceOf(Outcome.Untouched.class);
  }

  @Test
  void shouldRefuseAFinalPodThatWasNeverInjected() {
    assertThat(message(injector.validate(Pods.NAMESPACE, Pods.pod("{}"))))
        .contains("no container postern");
  }

  private static String message(Outcome outcome) {
    return ((Outcome.Refused) outcome).message();
  }
}
