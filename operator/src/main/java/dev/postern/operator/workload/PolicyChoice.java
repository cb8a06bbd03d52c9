package dev.postern.operator.workload;

import dev.postern.crds.TlsPolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which policy is in force for a pod: the one that it names; else of those that select it the
 * oldest, so that a newer one can never loosen it (security.md 5).
 *
 * @param inForce empty: none
 * @param missing the pod names one that is not there
 * @param beaten those that select it too, but are newer
 */
record PolicyChoice(Optional<TlsPolicy> inForce, boolean missing, List<TlsPolicy> beaten) {

  /** RFC 3339 in UTC without fractions sorts as text. */
  private static final Comparator<TlsPolicy> OLDEST_FIRST =
      Comparator.comparing((TlsPolicy it) -> it.getMetadata().getCreationTimestamp())
          .thenComparing(it -> it.getMetadata().getName());

  static PolicyChoice of(PodView pod, List<TlsPolicy> policies) {
    if (!pod.policy().isEmpty()) {
      Optional<TlsPolicy> named =
          policies.stream()
              .filter(it -> it.getMetadata().getName().equals(pod.policy()))
              .findFirst();
      return new PolicyChoice(named, named.isEmpty(), List.of());
    }
    List<TlsPolicy> selecting =
        policies.stream()
            .filter(it -> Selector.matches(it.getSpec().podSelector(), pod.labels()))
            .sorted(OLDEST_FIRST)
            .toList();
    return new PolicyChoice(
        selecting.stream().findFirst(), false, selecting.stream().skip(1).toList());
  }
}
