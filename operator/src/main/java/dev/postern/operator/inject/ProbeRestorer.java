package dev.postern.operator.inject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Undoes {@link ProbeTargets}: a probe that asks the sidecar becomes what it stands for. */
final class ProbeRestorer {

  private static final Pattern PATH = Pattern.compile("/probe/([0-9]{1,4})");

  private final JsonNode targets;

  private ProbeRestorer(JsonNode targets) {
    this.targets = targets;
  }

  /**
   * @throws Refusal when the container's POSTERN_PROBES is no JSON array
   */
  static ProbeRestorer of(JsonNode sidecar) {
    String encoded = BroughtParts.value(sidecar, SidecarParts.PROBES_VARIABLE);
    try {
      JsonNode targets = Json.MAPPER.readTree(encoded);
      if (targets.isArray()) {
        return new ProbeRestorer(targets);
      }
    } catch (JsonProcessingException e) {
      // Falls through to the one refusal: where the text breaks is of no use to the user.
    }
    throw BroughtParts.brings("a container named postern whose POSTERN_PROBES is no JSON array");
  }

  void restore(ObjectNode pod) {
    for (ObjectNode container : AppContainers.longRunning(pod)) {
      ProbeTargets.PROBES.forEach(kind -> restoreHandler(container.path(kind)));
      ProbeTargets.HOOKS.forEach(kind -> restoreHandler(container.at("/lifecycle/" + kind)));
    }
  }

  private void restoreHandler(JsonNode handler) {
    JsonNode get = handler.path("httpGet");
    Matcher path = PATH.matcher(get.path("path").asText());
    if (get.path("port").asInt() != SidecarParts.ADMIN_PORT || !path.matches()) {
      return;
    }
    if (!(targets.get(Integer.parseInt(path.group(1))) instanceof ObjectNode target)) {
      throw BroughtParts.brings("a probe of " + path.group() + ", which POSTERN_PROBES lacks");
    }
    ObjectNode holder = (ObjectNode) handler;
    if (target.path("kind").asText().equals("tcp")) {
      holder.remove("httpGet");
      holder.set("tcpSocket", tcp(target));
    } else {
      holder.set("httpGet", http(target));
    }
  }

  private static ObjectNode tcp(ObjectNode target) {
    ObjectNode socket = Json.object("port", target.path("port"));
    copyText(target, "host", socket);
    return socket;
  }

  private static ObjectNode http(ObjectNode target) {
    ObjectNode get = Json.object("port", target.path("port"));
    copyText(target, "path", get);
    copyText(target, "scheme", get);
    copyText(target, "host", get);
    ArrayNode headers = Json.MAPPER.createArrayNode();
    for (Map.Entry<String, JsonNode> header : target.path("headers").properties()) {
      headers.add(Json.object("name", header.getKey(), "value", header.getValue().asText()));
    }
    if (!headers.isEmpty()) {
      get.set("httpHeaders", headers);
    }
    return get;
  }

  private static void copyText(ObjectNode from, String field, ObjectNode to) {
    String text = from.path(field).asText();
    if (!text.isEmpty()) {
      to.put(field, text);
    }
  }
}
