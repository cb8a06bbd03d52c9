package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Turns the kubelet's probes and hooks to the sidecar, which performs them: they could not pass
 * mutual TLS. The targets become POSTERN_PROBES; a target's place in it is the INDEX of the
 * rewritten path /probe/INDEX.
 *
 * <p>httpGet and tcpSocket probes and httpGet hooks are rewritten, exec and sleep stay; a grpc
 * probe is refused: as a mere TCP check it would call an app healthy that says it is not.
 *
 * <p>Source: k8s.io/kubernetes/pkg/kubelet/prober and pkg/probe/http/request.go.
 */
final class ProbeTargets {

  static final List<String> PROBES = List.of("startupProbe", "livenessProbe", "readinessProbe");
  static final List<String> HOOKS = List.of("postStart", "preStop");
  static final String PATH = "/probe/";

  /** Linux allows 128 KiB for one variable; no honest pod comes near this. */
  private static final int MAX_ENCODED = 32 * 1024;

  private static final int DEFAULT_GRACE_SECONDS = 30;

  private final ArrayNode targets = Json.MAPPER.createArrayNode();
  private final int hookTimeoutSeconds;

  private ProbeTargets(int hookTimeoutSeconds) {
    this.hookTimeoutSeconds = hookTimeoutSeconds;
  }

  /** Rewrites the probes of every long-running container in place. */
  static ProbeTargets rewrite(ObjectNode pod) {
    // A hook has no timeout of its own: the kubelet stops waiting when the grace period is over.
    ProbeTargets targets =
        new ProbeTargets(
            pod.at("/spec/terminationGracePeriodSeconds").asInt(DEFAULT_GRACE_SECONDS));
    AppContainers.longRunning(pod).forEach(targets::rewriteContainer);
    return targets;
  }

  /**
   * The value of POSTERN_PROBES. A dollar sign is written as its JSON escape, since the kubelet
   * expands $(NAME) in values of variables.
   */
  String encoded() {
    String json = targets.toString().replace("$", "\\u0024");
    if (json.length() > MAX_ENCODED) {
      throw Refusal.invalid("the pod's probes take more than " + MAX_ENCODED + " bytes together");
    }
    return json;
  }

  private void rewriteContainer(ObjectNode container) {
    String name = AppContainers.name(container);
    for (String kind : PROBES) {
      if (container.get(kind) instanceof ObjectNode probe) {
        rewriteProbe(probe, new ProbeField(container, "container " + name + ", " + kind));
      }
    }
    for (String kind : HOOKS) {
      if (container.at("/lifecycle/" + kind) instanceof ObjectNode hook
          && hook.get("httpGet") instanceof ObjectNode get) {
        ProbeField field = new ProbeField(container, "container " + name + ", lifecycle." + kind);
        hook.set("httpGet", add(field.http(get, hookTimeoutSeconds)));
      }
    }
  }

  private void rewriteProbe(ObjectNode probe, ProbeField field) {
    int timeoutSeconds = probe.path("timeoutSeconds").asInt(1);
    if (probe.has("grpc")) {
      throw Refusal.forbidden(
          field.name()
              + ": grpc probes cannot pass mutual TLS and the sidecar does not perform them in"
              + " this version; use exec (grpc_health_probe), httpGet or tcpSocket");
    }
    if (probe.get("httpGet") instanceof ObjectNode get) {
      probe.set("httpGet", add(field.http(get, timeoutSeconds)));
    } else if (probe.get("tcpSocket") instanceof ObjectNode socket) {
      probe.set("httpGet", add(field.tcp(socket, timeoutSeconds)));
      probe.remove("tcpSocket");
    }
  }

  /** Keeps a target and gives the httpGet that asks the sidecar for it. */
  private JsonNode add(ObjectNode target) {
    targets.add(target);
    return Json.object(
        "path", PATH + (targets.size() - 1), "port", SidecarParts.ADMIN_PORT, "scheme", "HTTP");
  }
}
