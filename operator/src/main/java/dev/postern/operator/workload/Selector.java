package dev.postern.operator.workload;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Label selectors, as Kubernetes reads them (apimachinery's LabelSelector). */
final class Selector {

  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private Selector() {}

  /** An empty selector matches everything; one that is absent or wrong matches nothing. */
  static boolean matches(LabelSelector selector, Map<String, String> labels) {
    if (selector == null || problem(selector).isPresent()) {
      return false;
    }
    return matches(selector.getMatchLabels(), labels)
        && expressions(selector).stream().allMatch(it -> matches(it, labels));
  }

  /** What is wrong with it, or empty. */
  static Optional<String> problem(LabelSelector selector) {
    if (selector == null) {
      return Optional.empty();
    }
    return expressions(selector).stream()
        .map(Selector::problem)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The simple kind that Services have; here an empty one matches everything. */
  static boolean matches(Map<String, String> wanted, Map<String, String> labels) {
    return wanted == null
        || wanted.entrySet().stream().allMatch(it -> it.getValue().equals(labels.get(it.getKey())));
  }

  private static boolean matches(LabelSelectorRequirement wanted, Map<String, String> labels) {
    String value = labels.get(wanted.getKey());
    return switch (wanted.getOperator()) {
      case "In" -> value != null && wanted.getValues().contains(value);
      case "NotIn" -> value == null || !wanted.getValues().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> throw new AssertionError("checked before: " + wanted.getOperator());
    };
  }

  private static Optional<String> problem(LabelSelectorRequirement wanted) {
    if (wanted.getKey() == null || wanted.getKey().isEmpty()) {
      return Optional.of("podSelector.matchExpressions: key is missing");
    }
    if (wanted.getOperator() == null || !OPERATORS.contains(wanted.getOperator())) {
      return Optional.of(
          "podSelector.matchExpressions: operator "
              + wanted.getOperator()
              + " is not one of "
              + String.join(", ", OPERATORS));
    }
    boolean wantsValues = wanted.getOperator().endsWith("In");
    if (wantsValues == wanted.getValues().isEmpty()) {
      return Optional.of(
          "podSelector.matchExpressions: "
              + wanted.getOperator()
              + (wantsValues ? " needs values" : " takes no values"));
    }
    return Optional.empty();
  }

  private static List<LabelSelectorRequirement> expressions(LabelSelector selector) {
    return selector.getMatchExpressions() == null ? List.of() : selector.getMatchExpressions();
  }
}
