package dev.postern.operator.workload;

import dev.postern.crds.Api;
import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateSpec;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects of ours in one namespace: what is there, and how it becomes what a plan wants.
 *
 * @param certificates with our label, by name
 * @param configMaps with our label, by name
 */
record NamespaceObjects(
    String namespace,
    Map<String, Certificate> certificates,
    Map<String, ConfigMap> configMaps,
    OwnObjects writer) {

  static NamespaceObjects of(String namespace, ObservedCaches caches, OwnObjects writer) {
    return new NamespaceObjects(
        namespace,
        byName(caches.certificates(namespace)),
        byName(caches.configMaps(namespace)),
        writer);
  }

  void ensure(WorkloadPlan plan) {
    plan.identity().ifPresent(it -> ensureIdentity(plan.workload(), it));
    String name = Api.policyName(plan.workload());
    ConfigMap there = configMaps.get(name);
    if (there == null || !plan.policyOnlyIfAbsent()) {
      Map<String, String> data = Map.of(Api.POLICY_KEY, plan.policy().toJson());
      writer.ensure(configMap(name, plan.workload(), data), there, NamespaceObjects::sameData);
    }
  }

  void ensureTrust(TrustBundle bundle) {
    ConfigMap there = configMaps.get(Api.TRUST_CONFIG_MAP);
    if (!bundle.roots().isEmpty() && (there == null || bundle.complete())) {
      writer.ensure(
          configMap(Api.TRUST_CONFIG_MAP, "", bundle.data()), there, NamespaceObjects::sameData);
    }
  }

  /** Workloads that have objects here. */
  Set<String> workloads() {
    return Stream.concat(certificates.values().stream(), configMaps.values().stream())
        .map(NamespaceObjects::workloadOf)
        .filter(it -> !it.isEmpty())
        .collect(Collectors.toSet());
  }

  void delete(String workload) {
    Stream.concat(certificates.values().stream(), configMaps.values().stream())
        .filter(it -> workload.equals(workloadOf(it)))
        .forEach(writer::delete);
  }

  void deleteTrust() {
    ConfigMap there = configMaps.get(Api.TRUST_CONFIG_MAP);
    if (there != null) {
      writer.delete(there);
    }
  }

  private void ensureIdentity(String workload, CertificateSpec spec) {
    Certificate wanted = new Certificate();
    wanted.setMetadata(metadata(Api.identityName(workload), workload));
    wanted.setSpec(spec);
    writer.ensure(
        wanted,
        certificates.get(wanted.getMetadata().getName()),
        (there, want) -> Objects.equals(there.getSpec(), want.getSpec()));
  }

  private ConfigMap configMap(String name, String workload, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withMetadata(metadata(name, workload))
        .withData(new HashMap<>(data))
        .build();
  }

  private ObjectMeta metadata(String name, String workload) {
    ObjectMetaBuilder metadata =
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName(name)
            .addToLabels(Api.MANAGED_BY_LABEL, Api.MANAGED_BY);
    return workload.isEmpty()
        ? metadata.build()
        : metadata.addToLabels(Api.WORKLOAD_LABEL, workload).build();
  }

  private static boolean sameData(ConfigMap there, ConfigMap wanted) {
    return wanted.getData().equals(there.getData());
  }

  private static String workloadOf(HasMetadata object) {
    return object.getMetadata().getLabels().getOrDefault(Api.WORKLOAD_LABEL, "");
  }

  private static <T extends HasMetadata> Map<String, T> byName(Collection<T> objects) {
    return objects.stream()
        .collect(Collectors.toMap(it -> it.getMetadata().getName(), Function.identity()));
  }

  /** Workloads that have objects but no pods. */
  Set<String> without(List<WorkloadPlan> plans) {
    Set<String> idle = new HashSet<>(workloads());
    plans.forEach(plan -> idle.remove(plan.workload()));
    return idle;
  }
}
