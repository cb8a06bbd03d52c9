package dev.postern.operator.workload;

import dev.postern.crds.TlsPolicy;
import io.fabric8.kubernetes.api.model.Service;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Everything in one namespace that the plan for it depends on. */
record NamespaceView(
    String namespace, List<PodView> pods, List<Service> services, List<TlsPolicy> policies) {

  NamespaceView {
    pods = List.copyOf(pods);
    services = List.copyOf(services);
    policies = List.copyOf(policies);
  }

  /** The pods that run or will, by workload. */
  Map<String, List<PodView>> livePods() {
    return pods.stream()
        .filter(pod -> !pod.ended() && !pod.workload().isEmpty())
        .collect(Collectors.groupingBy(PodView::workload, TreeMap::new, Collectors.toList()));
  }
}
