package dev.postern.operator.main;

import dev.postern.crds.Api;
import dev.postern.operator.options.ReleaseOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code postern-operator uninstall}: what must happen before the rest of a release is deleted. Run
 * by the chart's pre-delete hook.
 */
@Command(
    name = "uninstall",
    description =
        "Removes the webhooks first, so that no pod is refused by a webhook that is gone; refuses"
            + " while injected pods exist.",
    mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {

  private static final int NAMED_PODS = 5;
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

  @Mixin private ReleaseOptions options;

  @Option(
      names = "--watch-namespaces",
      split = ",",
      defaultValue = "",
      description = "where to look for injected pods; empty: everywhere")
  private List<String> namespaces;

  @Option(names = "--force", description = "leave injected pods behind: nothing renews their trust")
  private boolean force;

  @Override
  public Integer call() {
    options.applyLogging();
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      return uninstall(client);
    }
  }

  private int uninstall(KubernetesClient client) {
    return uninstall(
        client,
        options.names().webhookConfiguration(),
        namespaces.stream().filter(name -> !name.isBlank()).toList(),
        force);
  }

  /** Exit status 0 when the webhooks are gone, 1 when injected pods stand in the way. */
  static int uninstall(
      KubernetesClient client, String webhooks, List<String> namespaces, boolean force) {
    List<String> pods = injectedPods(client, namespaces);
    if (!pods.isEmpty() && !force) {
      System.err.printf(
          "postern-operator: %d injected pods exist (%s): take the annotation %s away and let them"
              + " go, or set the chart's value uninstall.force to true%n",
          pods.size(), abridged(pods), Api.INJECT);
      return 1;
    }
    var admission = client.admissionRegistration().v1();
    admission.mutatingWebhookConfigurations().withName(webhooks).delete();
    admission.validatingWebhookConfigurations().withName(webhooks).delete();
    System.err.println("postern-operator: the webhooks are removed");
    return 0;
  }

  private static List<String> injectedPods(KubernetesClient client, List<String> namespaces) {
    List<Pod> pods = new ArrayList<>();
    if (namespaces.isEmpty()) {
      pods.addAll(client.pods().inAnyNamespace().withLabel(Api.WORKLOAD_LABEL).list().getItems());
    }
    for (String namespace : namespaces) {
      pods.addAll(
          client.pods().inNamespace(namespace).withLabel(Api.WORKLOAD_LABEL).list().getItems());
    }
    return pods.stream()
        .filter(pod -> pod.getStatus() == null || !ENDED.contains(pod.getStatus().getPhase()))
        .map(pod -> pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName())
        .toList();
  }

  private static String abridged(List<String> pods) {
    String named = pods.stream().limit(NAMED_PODS).collect(Collectors.joining(", "));
    return pods.size() > NAMED_PODS ? named + ", …" : named;
  }
}
