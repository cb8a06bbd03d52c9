package dev.postern.operator.inject;

import java.util.Map;

/** Who decides whether a pod is injected: its namespace by a label, or itself by an annotation. */
enum InjectionChoice {
  /** Namespace label {@code required}: every pod, no opt-out. */
  REQUIRED,
  /** Namespace label {@code true}: every pod that does not opt out. */
  UNLESS_OPTED_OUT,
  /** Any other value or none: a pod that asks for it. */
  IF_ASKED;

  static InjectionChoice of(Map<String, String> namespaceLabels) {
    return switch (namespaceLabels.getOrDefault(AnnotationKey.INJECT.key(), "")) {
      case "required" -> REQUIRED;
      case "true" -> UNLESS_OPTED_OUT;
      default -> IF_ASKED;
    };
  }

  /**
   * @throws Refusal when the pod opts out where it may not
   */
  boolean injects(PodAnnotations annotations) {
    return switch (this) {
      case REQUIRED -> {
        if (!annotations.inject().orElse(true)) {
          throw Refusal.forbidden(
              "annotation postern.dev/inject: \"false\" is not allowed here: the namespace's label"
                  + " says postern.dev/inject=required");
        }
        yield true;
      }
      case UNLESS_OPTED_OUT -> annotations.inject().orElse(true);
      case IF_ASKED -> annotations.inject().orElse(false);
    };
  }
}
