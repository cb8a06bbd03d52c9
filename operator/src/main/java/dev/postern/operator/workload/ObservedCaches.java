package dev.postern.operator.workload;

import dev.postern.crds.Api;
import dev.postern.crds.Certificate;
import dev.postern.crds.TlsPolicy;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Informers on what the plans depend on: pods, ConfigMaps and Certificates by label, Services and
 * policies whole; of pods and Services only the fields that count are kept.
 */
final class ObservedCaches implements AutoCloseable {

  private final WatchedKind<Pod> pods;
  private final WatchedKind<Service> services;
  private final WatchedKind<TlsPolicy> policies;
  private final WatchedKind<Certificate> certificates;
  private final WatchedKind<ConfigMap> configMaps;

  /**
   * Begins to watch.
   *
   * @param namespaces empty: all
   * @param changed called with the namespace in which something has changed
   */
  ObservedCaches(KubernetesClient client, List<String> namespaces, Consumer<String> changed) {
    String managed = Api.MANAGED_BY_LABEL + "=" + Api.MANAGED_BY;
    pods =
        new WatchedKind<>(
            client.pods(), Api.WORKLOAD_LABEL, ObservedCaches::strip, namespaces, changed);
    services = new WatchedKind<>(client.services(), "", ObservedCaches::strip, namespaces, changed);
    policies =
        new WatchedKind<>(
            client.resources(TlsPolicy.class), "", UnaryOperator.identity(), namespaces, changed);
    certificates =
        new WatchedKind<>(
            client.resources(Certificate.class),
            managed,
            UnaryOperator.identity(),
            namespaces,
            changed);
    configMaps =
        new WatchedKind<>(
            client.configMaps(), managed, UnaryOperator.identity(), namespaces, changed);
  }

  /** True when all that was there at the start has been seen. */
  boolean synced() {
    return all().allMatch(WatchedKind::synced);
  }

  /** Namespaces in which there is anything to plan or to clean up. */
  Set<String> namespaces() {
    Set<String> found = new TreeSet<>();
    Stream.of(pods, policies, certificates, configMaps)
        .forEach(kind -> found.addAll(kind.namespaces()));
    return found;
  }

  NamespaceView view(String namespace) {
    return new NamespaceView(
        namespace,
        pods.in(namespace).stream().map(PodView::of).toList(),
        services.in(namespace),
        policies.in(namespace));
  }

  List<Certificate> certificates(String namespace) {
    return certificates.in(namespace);
  }

  List<ConfigMap> configMaps(String namespace) {
    return configMaps.in(namespace);
  }

  @Override
  public void close() {
    all().forEach(WatchedKind::close);
  }

  private Stream<WatchedKind<?>> all() {
    return Stream.of(pods, services, policies, certificates, configMaps);
  }

  private static Pod strip(Pod pod) {
    return new PodBuilder(pod)
        .editMetadata()
        .withManagedFields(List.of())
        .withAnnotations(ownAnnotations(pod))
        .endMetadata()
        .withNewSpec()
        .withServiceAccountName(pod.getSpec().getServiceAccountName())
        .endSpec()
        .withNewStatus()
        .withPhase(pod.getStatus() == null ? null : pod.getStatus().getPhase())
        .endStatus()
        .build();
  }

  private static Map<String, String> ownAnnotations(Pod pod) {
    Map<String, String> own = new HashMap<>();
    if (pod.getMetadata().getAnnotations() != null) {
      own.putAll(pod.getMetadata().getAnnotations());
      own.keySet().removeIf(key -> !key.equals(Api.POLICY) && !key.equals(Api.CERTIFICATE));
    }
    return own;
  }

  private static Service strip(Service service) {
    return new ServiceBuilder(service)
        .editMetadata()
        .withManagedFields(List.of())
        .withAnnotations(null)
        .endMetadata()
        .withNewSpec()
        .withSelector(service.getSpec().getSelector())
        .withType(service.getSpec().getType())
        .endSpec()
        .withStatus(null)
        .build();
  }
}
