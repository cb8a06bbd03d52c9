package dev.postern.operator.workload;

import dev.postern.crds.Api;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.IssuerRef;
import dev.postern.crds.ResolvedPolicy;
import dev.postern.operator.pki.NamePolicy;
import io.fabric8.kubernetes.api.model.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the workloads of a namespace shall have, and how its policies fared. A pure function of the
 * view.
 */
record NamespacePlan(List<WorkloadPlan> workloads, List<PolicyReport> policies) {

  /** Four names each; a Certificate has at most 100. */
  static final int MOST_SERVICES = 25;

  static NamespacePlan of(NamespaceView view, WorkloadSettings settings) {
    PolicyFloor floor = settings.floor();
    PolicyReports reports = new PolicyReports(view.policies(), floor);
    List<WorkloadPlan> plans = new ArrayList<>();
    for (Map.Entry<String, List<PodView>> entry : view.livePods().entrySet()) {
      PodView newest = newest(entry.getValue());
      PolicyChoice choice = PolicyChoice.of(newest, view.policies());
      reports.chosen(entry.getKey(), choice);
      plans.add(
          new WorkloadPlan(
              entry.getKey(),
              identity(view, settings, newest, entry.getValue()),
              policy(choice, floor),
              choice.missing()));
    }
    return new NamespacePlan(plans, reports.all());
  }

  /** While a rollout changes the template, the new pods decide. */
  private static PodView newest(List<PodView> pods) {
    return pods.stream()
        .max(Comparator.comparing(PodView::created).thenComparing(PodView::name))
        .orElseThrow();
  }

  private static ResolvedPolicy policy(PolicyChoice choice, PolicyFloor floor) {
    if (choice.missing()) {
      return floor.closed();
    }
    return choice.inForce().map(it -> floor.apply(it.getSpec())).orElseGet(floor::unspoken);
  }

  private static Optional<CertificateSpec> identity(
      NamespaceView view, WorkloadSettings settings, PodView newest, List<PodView> pods) {
    if (!newest.certificate().isEmpty()) {
      return Optional.empty();
    }
    String uri =
        NamePolicy.identity(settings.trustDomain(), view.namespace(), newest.serviceAccount());
    return Optional.of(
        new CertificateSpec(
            Api.identityName(newest.workload()),
            new IssuerRef(settings.defaultIssuer(), IssuerRef.Kind.ClusterIssuer),
            null,
            dnsNames(view, settings, pods),
            List.of(),
            List.of(uri),
            settings.identityDuration(),
            null,
            null,
            null,
            List.of(),
            null,
            null));
  }

  private static List<String> dnsNames(
      NamespaceView view, WorkloadSettings settings, List<PodView> pods) {
    return view.services().stream()
        .filter(service -> pods.stream().anyMatch(pod -> selects(service, pod)))
        .map(service -> service.getMetadata().getName())
        .sorted()
        .limit(MOST_SERVICES)
        .flatMap(
            name ->
                NamePolicy.serviceNames(name, view.namespace(), settings.clusterDomain()).stream())
        .toList();
  }

  private static boolean selects(Service service, PodView pod) {
    Map<String, String> selector = service.getSpec().getSelector();
    return selector != null
        && !selector.isEmpty()
        && !"ExternalName".equals(service.getSpec().getType())
        && Selector.matches(selector, pod.labels());
  }
}
