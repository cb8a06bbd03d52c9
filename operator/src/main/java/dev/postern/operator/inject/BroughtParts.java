package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.crds.Api;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a pod brings under our names. That it was injected before cannot be seen from a name, a
 * label or an annotation, as its author may write them all. So the rule is:
 *
 * <ol>
 *   <li>the pod is taken back to what its author wrote: our containers out, probes as
 *       POSTERN_PROBES holds them;
 *   <li>what would be injected into that pod now is computed, by today's settings and facts;
 *   <li>each of our parts that the pod brings must equal the computed one, save the three variables
 *       that the app's own containers decide (ports, UDP ports, probes); else the pod is refused;
 *   <li>the computed parts go in. Where they are there already, nothing changes.
 * </ol>
 *
 * Forging the three variables gains nothing: ports are computed anew, and a forged probe is only
 * what its author could have written as a probe. A later webhook that adds a container, a port or a
 * probe leads to the same pod as if it had come first.
 */
record BroughtParts(
    Optional<ObjectNode> redirect, Optional<ObjectNode> sidecar, JsonNode label, JsonNode status) {

  private static final Set<String> NAMES = Set.of(SidecarParts.REDIRECT, SidecarParts.SIDECAR);
  private static final String LABEL = "/metadata/labels/postern.dev~1workload";
  private static final String STATUS = "/metadata/annotations/postern.dev~1status";

  static BroughtParts of(JsonNode pod) {
    for (JsonNode container : pod.at("/spec/containers")) {
      if (NAMES.contains(AppContainers.name(container))) {
        throw brings("an ordinary container named " + AppContainers.name(container));
      }
    }
    return new BroughtParts(
        init(pod, SidecarParts.REDIRECT),
        init(pod, SidecarParts.SIDECAR),
        pod.at(LABEL),
        pod.at(STATUS));
  }

  /** For a pod that is not to be injected: it may bring nothing. */
  void refuseAny() {
    if (redirect.isPresent() || sidecar.isPresent()) {
      throw brings("a container named " + (sidecar.isPresent() ? "postern" : "postern-redirect"));
    }
    if (!label.isMissingNode()) {
      throw brings("the label " + Api.WORKLOAD_LABEL);
    }
    if (!status.isMissingNode()) {
      throw brings("the annotation " + Api.STATUS);
    }
  }

  /** Takes a copy of the pod back to its author's: without our containers, probes restored. */
  void removeFrom(ObjectNode pod) {
    if (pod.at("/spec/initContainers") instanceof ArrayNode inits) {
      removeOurs(inits);
    }
    sidecar.ifPresent(container -> ProbeRestorer.of(container).restore(pod));
  }

  /** The part as it is in the pod where it is the same, for then it stays untouched. */
  ObjectNode redirect(ObjectNode computed) {
    return kept(computed, redirect);
  }

  ObjectNode sidecar(ObjectNode computed) {
    return kept(computed, sidecar);
  }

  void refuseOthers(SidecarParts computed) {
    redirect.ifPresent(brought -> refuseOther(computed.redirect(), brought));
    sidecar.ifPresent(brought -> refuseOther(computed.sidecar(), brought));
    refuseOtherText("label " + Api.WORKLOAD_LABEL, computed.pod().workload(), label);
    refuseOtherText("annotation " + Api.STATUS, computed.status(), status);
  }

  static Refusal brings(String what) {
    return Refusal.forbidden(
        "the pod brings "
            + what
            + ", which is Postern's to add; take it out, the webhook adds what is needed");
  }

  private static ObjectNode kept(ObjectNode computed, Optional<ObjectNode> brought) {
    return brought
        .filter(there -> Sameness.difference("", computed, there).isEmpty())
        .orElse(computed);
  }

  private static void refuseOther(ObjectNode computed, ObjectNode brought) {
    String name = AppContainers.name(computed);
    Sameness.difference("container " + name, withAppVariablesOf(brought, computed), brought)
        .ifPresent(
            difference -> {
              throw brings("a container named " + name + " other than ours (" + difference + ")");
            });
  }

  private static void refuseOtherText(String what, String computed, JsonNode brought) {
    if (!brought.isMissingNode() && !brought.asText().equals(computed)) {
      throw brings(what + ": " + Refusal.quote(brought.asText()));
    }
  }

  private static ObjectNode withAppVariablesOf(ObjectNode brought, ObjectNode computed) {
    ObjectNode expected = computed.deepCopy();
    for (JsonNode variable : expected.path("env")) {
      String name = variable.path("name").asText();
      if (SidecarParts.APP_VARIABLES.contains(name)) {
        ((ObjectNode) variable).put("value", value(brought, name));
      }
    }
    return expected;
  }

  static String value(JsonNode container, String variableName) {
    for (JsonNode variable : container.path("env")) {
      if (variable.path("name").asText().equals(variableName)) {
        return variable.path("value").asText();
      }
    }
    return "";
  }

  private static Optional<ObjectNode> init(JsonNode pod, String name) {
    List<ObjectNode> found =
        AppContainers.all(pod).stream()
            .filter(container -> AppContainers.name(container).equals(name))
            .toList();
    if (found.size() > 1) {
      throw brings("more than one container named " + name);
    }
    return found.stream().findFirst();
  }

  private static void removeOurs(ArrayNode inits) {
    for (int i = inits.size() - 1; i >= 0; i--) {
      if (NAMES.contains(AppContainers.name(inits.get(i)))) {
        inits.remove(i);
      }
    }
  }
}
