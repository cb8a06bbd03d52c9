package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.operator.inject.OwnerLookup.Owner;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each pod NAME.yaml becomes NAME.injected.yaml. */
class FixtureTest {

  private final Cluster cluster = new Cluster();
  private final Injector injector = new Injector(Pods.SETTINGS, cluster);

  FixtureTest() {
    cluster.policies.add("strict");
    cluster.certificates.put(
        "web-tls",
        new ClusterFacts.NamedCertificate(
            "web-tls-secret", List.of("spiffe://cluster.local/ns/shop/sa/web")));
    cluster.controllers.put(
        new Owner("ReplicaSet", "web-7d4b9", "rs-uid"), new Owner("Deployment", "web", "d-uid"));
    cluster.controllers.put(
        new Owner("Job", "nightly-28912", "job-uid"), new Owner("CronJob", "nightly", "cj-uid"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"deployment", "cronjob", "bare-generate-name", "own-init-containers", "annotated"})
  void shouldBecomeTheExpectedPodWhenPatched(String name) {
    JsonNode expected = Pods.resource(name + ".injected.yaml");
    assertThat(Pods.mutated(injector, Pods.resource(name + ".yaml"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"deployment", "cronjob", "bare-generate-name", "own-init-containers", "annotated"})
  void shouldBeLeftAloneAndPassValidationWhenInjected(String name) {
    JsonNode injected = Pods.resource(name + ".injected.yaml");
    Outcome untouched = new Outcome.Untouched(Outcome.Reason.ALREADY_INJECTED);
    assertThat(injector.mutate("shop", injected)).isEqualTo(untouched);
    assertThat(injector.validate("shop", injected)).isEqualTo(untouched);
  }
}
