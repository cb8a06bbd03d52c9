package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.operator.inject.OwnerLookup.Owner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {

  private final Cluster cluster = new Cluster();

  @ParameterizedTest
  @CsvSource({
    "ReplicaSet, web-1, web",
    "Job, nightly-1, nightly",
    "ReplicaSet, orphan, orphan",
    "Job, once, once",
    "StatefulSet, db, db",
    "DaemonSet, agent, agent",
    "Rollout, web, web"
  })
  void shouldNameTheTopOwner(String kind, String name, String workload) {
    cluster.controllers.put(
        new Owner("ReplicaSet", "web-1", "u"), new Owner("Deployment", "web", "d"));
    cluster.controllers.put(
        new Owner("Job", "nightly-1", "u"), new Owner("CronJob", "nightly", "c"));
    cluster.controllers.put(new Owner("StatefulSet", "db", "u"), new Owner("Wrong", "wrong", "w"));
    assertThat(Workload.of(owned(kind, name, true), Pods.NAMESPACE, cluster)).isEqualTo(workload);
  }

  @Test
  void shouldNameThePodWhenNoOwnerIsItsController() {
    assertThat(Workload.of(owned("Node", "n1", false), Pods.NAMESPACE, cluster)).isEqualTo("web");
  }

  @Test
  void shouldDropTheDashOfGenerateName() {
    ObjectNode pod = Pods.yaml("metadata: {generateName: loner-}");
    assertThat(Workload.of(pod, Pods.NAMESPACE, cluster)).isEqualTo("loner");
  }

  @Test
  void shouldKeepFiftyCharactersAndShortenOneMore() {
    assertThat(Workload.shortened("a".repeat(50))).isEqualTo("a".repeat(50));
    // printf 'a%.0s' $(seq 51) | sha256sum
    assertThat(Workload.shortened("a".repeat(51))).isEqualTo("a".repeat(41) + "-" + "bfc5fe0e");
  }

  @Test
  void shouldStayADnsSubdomainWhenTheCutFallsBehindADot() {
    assertThat(Workload.shortened("a".repeat(40) + "." + "b".repeat(20)))
        .matches("a{40}-[0-9a-f]{8}");
  }

  private static ObjectNode owned(String kind, String name, boolean controller) {
    ObjectNode pod = Pods.pod("{}");
    pod.withObject("/metadata")
        .set(
            "ownerReferences",
            Json.array(
                Json.object("kind", kind, "name", name, "uid", "u", "controller", controller)));
    return pod;
  }
}
