package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** Says in words why a final pod is not as it would be injected. */
final class FinalPod {

  private FinalPod() {}

  /**
   * @param patch that would still be needed, not empty
   */
  static Refusal refusal(JsonNode pod, ArrayNode patch) {
    JsonNode inits = pod.at("/spec/initContainers");
    if (indexOf(inits, SidecarParts.SIDECAR) < 0 || indexOf(inits, SidecarParts.REDIRECT) < 0) {
      return Refusal.forbidden(
          "the pod asks for injection but has no container postern with its postern-redirect: did"
              + " the mutating webhook postern see it?");
    }
    if (indexOf(inits, SidecarParts.REDIRECT) != 0 || indexOf(inits, SidecarParts.SIDECAR) != 1) {
      return Refusal.forbidden(
          "spec.initContainers: postern-redirect and postern must be the first two, so that"
              + " nothing runs before the pod's door is closed; another webhook moved them");
    }
    return Refusal.forbidden(
        "the pod was changed after its injection and would need it anew at "
            + Refusal.quote(patch.path(0).path("path").asText())
            + "; let the webhook that changes it run before postern");
  }

  private static int indexOf(JsonNode containers, String name) {
    for (int i = 0; i < containers.size(); i++) {
      if (AppContainers.name(containers.get(i)).equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
