package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a pod must not do, or had better not, beside a sidecar. */
final class PodRules {

  private static final String POD_SECURITY = "pod-security.kubernetes.io/enforce";
  private static final Set<String> FORBID_NET_ADMIN = Set.of("baseline", "restricted");
  private static final Set<String> REDIRECTING = Set.of("NET_ADMIN", "SYS_ADMIN", "ALL");
  private static final Set<String> SIDECAR_ONLY =
      Set.of("postern-identity", "postern-policy", "postern-run");

  private PodRules() {}

  /**
   * @param pod without our containers
   * @throws Refusal naming the field and what to do
   */
  static void check(JsonNode pod, Map<String, String> namespaceLabels) {
    refuseNode(pod);
    refuseUid(pod.at("/spec/securityContext"), "spec.securityContext");
    for (ObjectNode container : AppContainers.all(pod)) {
      String name = "container " + Refusal.quote(AppContainers.name(container));
      refuseHostPort(container, name);
      refuseUid(container.path("securityContext"), name);
      refuseMounts(container, name);
    }
    refusePodSecurity(namespaceLabels);
  }

  static List<String> warnings(JsonNode pod, AppPorts ports) {
    List<String> warnings = new ArrayList<>();
    for (String field : List.of("shareProcessNamespace", "hostPID")) {
      if (pod.at("/spec/" + field).asBoolean()) {
        warnings.add("spec." + field + ": other processes can see the sidecar's process");
      }
    }
    for (ObjectNode container : AppContainers.all(pod)) {
      if (canRedirect(container.path("securityContext"))) {
        warnings.add(
            "container "
                + Refusal.quote(AppContainers.name(container))
                + " is privileged or has NET_ADMIN: it can undo the redirection to the sidecar");
      }
    }
    if (!ports.sctp().isEmpty()) {
      warnings.add("SCTP ports " + AppPorts.joined(ports.sctp()) + " cannot be reached: dropped");
    }
    return warnings;
  }

  private static void refuseNode(JsonNode pod) {
    if (pod.at("/spec/hostNetwork").asBoolean()) {
      throw Refusal.forbidden(
          "spec.hostNetwork: such a pod has the node's network, whose traffic is not Postern's to"
              + " turn; take hostNetwork or the injection away");
    }
    if (pod.at("/spec/os/name").asText().equals("windows")) {
      throw Refusal.forbidden("spec.os.name: windows pods cannot be injected");
    }
  }

  private static void refuseHostPort(JsonNode container, String name) {
    for (JsonNode port : container.path("ports")) {
      if (port.path("hostPort").asInt() != 0) {
        throw Refusal.forbidden(
            name
                + ": hostPort "
                + port.path("hostPort").asInt()
                + " opens the pod at the node's address; take hostPort or the injection away");
      }
    }
  }

  private static void refuseUid(JsonNode securityContext, String name) {
    if (securityContext.path("runAsUser").asLong(-1) == SidecarParts.UID) {
      throw Refusal.forbidden(
          name + ": runAsUser " + SidecarParts.UID + " is the sidecar's own; choose another");
    }
  }

  private static void refuseMounts(JsonNode container, String name) {
    for (JsonNode mount : container.path("volumeMounts")) {
      if (SIDECAR_ONLY.contains(mount.path("name").asText())) {
        throw Refusal.forbidden(
            name + ": the volume " + mount.path("name").asText() + " is for the sidecar only");
      }
    }
    for (JsonNode device : container.path("volumeDevices")) {
      if (SIDECAR_ONLY.contains(device.path("name").asText())) {
        throw Refusal.forbidden(
            name + ": the volume " + device.path("name").asText() + " is for the sidecar only");
      }
    }
  }

  private static void refusePodSecurity(Map<String, String> namespaceLabels) {
    String level = namespaceLabels.getOrDefault(POD_SECURITY, "");
    if (FORBID_NET_ADMIN.contains(level)) {
      throw Refusal.forbidden(
          "the namespace enforces Pod Security "
              + level
              + ", which forbids NET_ADMIN to the init container of postern.dev/capture: redirect;"
              + " label the namespace "
              + POD_SECURITY
              + "=privileged, or write postern.dev/inject: \"false\" (postern.dev/capture: ports,"
              + " which needs no privilege, comes in a later version)");
    }
  }

  private static boolean canRedirect(JsonNode securityContext) {
    if (securityContext.path("privileged").asBoolean()) {
      return true;
    }
    for (JsonNode capability : securityContext.at("/capabilities/add")) {
      String name = capability.asText().toUpperCase(Locale.ROOT).replaceFirst("^CAP_", "");
      if (REDIRECTING.contains(name)) {
        return true;
      }
    }
    return false;
  }
}
