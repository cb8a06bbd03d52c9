package dev.postern.operator.workload;

import dev.postern.crds.Conditions;
import dev.postern.crds.TlsPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Gathers, while workloads are planned, what the policies' conditions will say. */
final class PolicyReports {

  private static final int MOST_NAMES_SHOWN = 5;
  private static final String NOBODY = "; until then nobody is let in to its pods";

  private final List<TlsPolicy> policies;
  private final PolicyFloor floor;
  private final Map<String, Set<String>> inForceFor = new TreeMap<>();
  private final Map<String, Set<String>> beatenFor = new TreeMap<>();

  PolicyReports(List<TlsPolicy> policies, PolicyFloor floor) {
    this.policies = policies;
    this.floor = floor;
  }

  void chosen(String workload, PolicyChoice choice) {
    choice.inForce().ifPresent(it -> add(inForceFor, name(it), workload));
    for (TlsPolicy beaten : choice.beaten()) {
      String winner = name(choice.inForce().orElseThrow());
      add(beatenFor, name(beaten), workload + " (" + winner + " is older)");
    }
  }

  List<PolicyReport> all() {
    return policies.stream().map(this::report).toList();
  }

  private PolicyReport report(TlsPolicy policy) {
    Set<String> beaten = beatenFor.getOrDefault(name(policy), new TreeSet<>());
    boolean conflicted = !beaten.isEmpty();
    String conflict =
        conflicted ? "not in force for " + shown(beaten) : "no older policy selects the same pods";
    Optional<String> problem =
        Selector.problem(policy.getSpec().podSelector())
            .or(() -> floor.problem(policy.getSpec()).map(it -> it + NOBODY));
    if (problem.isPresent()) {
      return new PolicyReport(
          policy, false, Conditions.INVALID_SPEC, problem.get(), conflicted, conflict);
    }
    Set<String> workloads = inForceFor.getOrDefault(name(policy), new TreeSet<>());
    if (workloads.isEmpty() && conflicted) {
      return new PolicyReport(policy, false, Conditions.CONFLICTED, conflict, true, conflict);
    }
    return workloads.isEmpty()
        ? new PolicyReport(
            policy, true, Conditions.NO_PODS, "no injected pod is under it", conflicted, conflict)
        : new PolicyReport(
            policy, true, Conditions.IN_FORCE, inForce(policy, workloads), conflicted, conflict);
  }

  private String inForce(TlsPolicy policy, Set<String> workloads) {
    String text = "in force for " + shown(workloads);
    return floor.raises(policy.getSpec())
        ? text + "; raised to the administrator's floor: " + floor.apply(policy.getSpec()).toJson()
        : text;
  }

  private static String shown(Set<String> names) {
    String first = String.join(", ", names.stream().limit(MOST_NAMES_SHOWN).toList());
    int more = names.size() - MOST_NAMES_SHOWN;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  private static void add(Map<String, Set<String>> map, String key, String value) {
    map.computeIfAbsent(key, _ -> new TreeSet<>()).add(value);
  }

  private static String name(TlsPolicy policy) {
    return policy.getMetadata().getName();
  }
}
