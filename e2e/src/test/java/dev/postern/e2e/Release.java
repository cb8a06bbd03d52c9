package dev.postern.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** The installed release: its two Deployments, which some tests stop, kill or set otherwise. */
record Release(KubernetesClient client) {

  static final String NAMESPACE = "postern-system";
  static final String WEBHOOK = "postern-webhook";
  static final String OPERATOR = "postern-operator";

  private static final long ROLLOUT_SECONDS = 120;

  void scale(String deployment, int replicas) {
    client.apps().deployments().inNamespace(NAMESPACE).withName(deployment).scale(replicas);
  }

  Deployment deployment(String name) {
    return client.apps().deployments().inNamespace(NAMESPACE).withName(name).get();
  }

  List<Pod> pods(String deployment) {
    return client
        .pods()
        .inNamespace(NAMESPACE)
        .withLabelSelector(deployment(deployment).getSpec().getSelector())
        .list()
        .getItems();
  }

  /** As kill -9 would: no grace. */
  void kill(String deployment) {
    pods(deployment).forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
  }

  /** Changes the arguments of the first container and waits for the rollout. */
  void setArguments(String deployment, UnaryOperator<String> change) {
    client
        .apps()
        .deployments()
        .inNamespace(NAMESPACE)
        .withName(deployment)
        .edit(
            existing -> {
              existing
                  .getSpec()
                  .getTemplate()
                  .getSpec()
                  .getContainers()
                  .get(0)
                  .getArgs()
                  .replaceAll(change);
              return existing;
            });
    awaitRollout(deployment);
  }

  void awaitRollout(String deployment) {
    client
        .apps()
        .deployments()
        .inNamespace(NAMESPACE)
        .withName(deployment)
        .waitUntilCondition(Release::rolledOut, ROLLOUT_SECONDS, TimeUnit.SECONDS);
    // A pod that is ending still answers on connections that the API server holds.
    Awaitility.await()
        .atMost(Duration.ofSeconds(ROLLOUT_SECONDS))
        .until(() -> pods(deployment).size() == deployment(deployment).getSpec().getReplicas());
  }

  private static boolean rolledOut(Deployment deployment) {
    Integer wanted = deployment.getSpec().getReplicas();
    return deployment
            .getMetadata()
            .getGeneration()
            .equals(deployment.getStatus().getObservedGeneration())
        && wanted.equals(deployment.getStatus().getUpdatedReplicas())
        && wanted.equals(deployment.getStatus().getReplicas())
        && wanted.equals(deployment.getStatus().getReadyReplicas());
  }
}
