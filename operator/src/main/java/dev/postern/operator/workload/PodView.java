package dev.postern.operator.workload;

import dev.postern.crds.Api;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What counts of an injected pod.
 *
 * @param workload by its label
 * @param policy named by annotation, empty for none
 * @param certificate named by annotation, empty for none
 * @param ended it has terminated and will not run again
 */
record PodView(
    String name,
    String workload,
    String serviceAccount,
    Map<String, String> labels,
    String policy,
    String certificate,
    Instant created,
    boolean ended) {

  private static final Set<String> END_PHASES = Set.of("Succeeded", "Failed");

  PodView {
    labels = Map.copyOf(labels);
  }

  static PodView of(Pod pod) {
    Map<String, String> labels = orEmpty(pod.getMetadata().getLabels());
    Map<String, String> annotations = orEmpty(pod.getMetadata().getAnnotations());
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return new PodView(
        pod.getMetadata().getName(),
        labels.getOrDefault(Api.WORKLOAD_LABEL, ""),
        Objects.requireNonNullElse(pod.getSpec().getServiceAccountName(), "default"),
        labels,
        annotations.getOrDefault(Api.POLICY, ""),
        annotations.getOrDefault(Api.CERTIFICATE, ""),
        Instant.parse(pod.getMetadata().getCreationTimestamp()),
        phase != null && END_PHASES.contains(phase));
  }

  private static Map<String, String> orEmpty(Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
