package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What the API server makes of a pod after a mutating webhook: defaults, shortest amounts, no empty
 * strings, the service account's token, a LimitRange.
 *
 * <p>Source: k8s.io/kubernetes/pkg/apis/core/v1/defaults.go, plugin/pkg/admission/serviceaccount,
 * limitranger and alwayspullimages.
 */
final class ApiServer {

  private ApiServer() {}

  static ObjectNode stored(JsonNode sent) {
    ObjectNode pod = sent.deepCopy();
    ObjectNode token = Json.object("name", "kube-api-access-abcde");
    token.set("projected", Json.object("defaultMode", 420));
    pod.withObject("/spec").withArrayProperty("volumes").insert(0, token);
    AppContainers.all(pod).forEach(ApiServer::complete);
    pod.withObject("/spec").put("terminationGracePeriodSeconds", 30).put("dnsPolicy", "Default");
    return pod;
  }

  private static void complete(ObjectNode container) {
    putIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
    putIfAbsent(container, "terminationMessagePolicy", "File");
    container.put("imagePullPolicy", "Always");
    container.set("resizePolicy", Json.array(Json.object("resourceName", "cpu")));
    shorten(container.path("resources").path("requests"));
    shorten(container.path("resources").path("limits"));
    container.withObjectProperty("resources").withObjectProperty("limits").put("cpu", "2");
    for (JsonNode port : container.path("ports")) {
      putIfAbsent((ObjectNode) port, "protocol", "TCP");
    }
    container.path("env").forEach(ApiServer::dropEmptyValue);
    for (String kind : ProbeTargets.PROBES) {
      if (container.get(kind) instanceof ObjectNode probe) {
        completeProbe(probe);
      }
    }
    for (String kind : ProbeTargets.HOOKS) {
      completeHttp(container.at("/lifecycle/" + kind + "/httpGet"));
    }
    ArrayNode mounts = container.withArrayProperty("volumeMounts");
    mounts.add(
        Json.object(
            "name", "kube-api-access-abcde",
            "readOnly", true,
            "mountPath", "/var/run/secrets/kubernetes.io/serviceaccount"));
  }

  private static void completeProbe(ObjectNode probe) {
    for (String field : new String[] {"timeoutSeconds", "successThreshold"}) {
      if (!probe.has(field)) {
        probe.put(field, 1);
      }
    }
    completeHttp(probe.path("httpGet"));
  }

  private static void completeHttp(JsonNode get) {
    if (get instanceof ObjectNode http) {
      putIfAbsent(http, "path", "/");
      putIfAbsent(http, "scheme", "HTTP");
    }
  }

  private static void shorten(JsonNode amounts) {
    if (amounts instanceof ObjectNode object) {
      for (var amount : object.properties()) {
        switch (amount.getValue().asText()) {
          case "1024Mi" -> object.put(amount.getKey(), "1Gi");
          case "0.5" -> object.put(amount.getKey(), "500m");
          default -> {}
        }
      }
    }
  }

  private static void dropEmptyValue(JsonNode variable) {
    if (variable.path("value").isTextual() && variable.get("value").asText().isEmpty()) {
      ((ObjectNode) variable).remove("value");
    }
  }

  private static void putIfAbsent(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }
}
