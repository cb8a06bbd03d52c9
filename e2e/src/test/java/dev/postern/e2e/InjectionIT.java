package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class InjectionIT {

  private static Sandbox sandbox;
  private static Pod web;

  @BeforeAll
  static void deployAnnotatedPod() {
    sandbox = new Sandbox("injection");
    sandbox.apply("web.yaml");
    web = sandbox.readyPod("web");
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @Test
  void shouldAddExactlyOneInitContainerAndOneSidecarInOrder() {
    List<Container> inits = web.getSpec().getInitContainers();
    assertThat(inits).extracting(Container::getName).containsExactly("postern-redirect", "postern");
    assertThat(inits.get(0).getRestartPolicy()).isNull();
    assertThat(inits.get(1).getRestartPolicy()).isEqualTo("Always");
    assertThat(web.getSpec().getContainers()).extracting(Container::getName).containsExactly("app");
  }

  @Test
  void shouldChangeNothingWhenInjectedAgain() {
    Pod again = sandbox.client().resource(copyOf(web)).dryRun().create();
    assertThat(again.getSpec()).isEqualTo(web.getSpec());
    assertThat(again.getMetadata().getAnnotations()).isEqualTo(web.getMetadata().getAnnotations());
  }

  @Test
  void shouldStartTheAppOnlyAfterTheSidecarHasStarted() {
    Instant sidecar = startedAt(web.getStatus().getInitContainerStatuses(), "postern");
    Instant app = startedAt(web.getStatus().getContainerStatuses(), "app");
    assertThat(app).isAfterOrEqualTo(sidecar);
    assertThat(web.getStatus().getInitContainerStatuses())
        .filteredOn(status -> status.getName().equals("postern"))
        .allMatch(ContainerStatus::getStarted);
  }

  @Test
  void shouldRefuseAnUnknownAnnotationAndNameTheNearest() {
    assertThatThrownBy(() -> sandbox.apply("annotated-pod.yaml", "key", "polcy", "value", "x"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("postern.dev/polcy")
        .hasMessageContaining("postern.dev/policy");
  }

  @Test
  void shouldRefuseAWrongPortAndNameTheKey() {
    assertThatThrownBy(() -> sandbox.apply("annotated-pod.yaml", "key", "ports", "value", "80; rm"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("postern.dev/ports");
  }

  /** The pod as its author could send it again: the runtime's own fields gone, all else kept. */
  private static Pod copyOf(Pod pod) {
    return new PodBuilder(pod)
        .withStatus(null)
        .editMetadata()
        .withName(pod.getMetadata().getName() + "-again")
        .withResourceVersion(null)
        .withUid(null)
        .withCreationTimestamp(null)
        .withManagedFields()
        .endMetadata()
        .build();
  }

  private static Instant startedAt(List<ContainerStatus> statuses, String container) {
    return statuses.stream()
        .filter(status -> status.getName().equals(container))
        .map(status -> Instant.parse(status.getState().getRunning().getStartedAt()))
        .findFirst()
        .orElseThrow();
  }
}
