package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reads one probe or hook of one container into a target of POSTERN_PROBES.
 *
 * @param container whose port names count
 * @param name for messages, such as {@code container app, readinessProbe}
 */
record ProbeField(JsonNode container, String name) {

  ObjectNode http(ObjectNode get, int timeoutSeconds) {
    String path = printable("path", get.path("path").asText("/"));
    return Json.object(
        "kind", "http",
        "port", port(get),
        "path", path.startsWith("/") ? path : "/" + path,
        "scheme", printable("scheme", get.path("scheme").asText("HTTP")),
        "host", printable("host", get.path("host").asText("")),
        "headers", headers(get),
        "timeoutSeconds", timeoutSeconds);
  }

  ObjectNode tcp(ObjectNode socket, int timeoutSeconds) {
    ObjectNode target =
        Json.object("kind", "tcp", "port", port(socket), "timeoutSeconds", timeoutSeconds);
    String host = printable("host", socket.path("host").asText(""));
    return host.isEmpty() ? target : target.put("host", host);
  }

  /** Headers of one name are joined as RFC 9110, 5.3 allows. */
  private ObjectNode headers(ObjectNode get) {
    ObjectNode headers = Json.object();
    for (JsonNode header : get.path("httpHeaders")) {
      String key = printable("httpHeaders", header.path("name").asText());
      String value = printable("httpHeaders", header.path("value").asText());
      headers.put(key, headers.has(key) ? headers.get(key).asText() + ", " + value : value);
    }
    return headers;
  }

  private int port(ObjectNode handler) {
    JsonNode port = handler.path("port");
    int number = port.isInt() ? port.asInt() : named(port.asText());
    if (number < 1 || number > 65535) {
      throw Refusal.invalid(name + ": port " + number + " is not from 1 to 65535");
    }
    if (AppPorts.isOurs(number)) {
      throw Refusal.invalid(name + ": port " + number + " is the sidecar's own");
    }
    return number;
  }

  /** As the kubelet resolves it: a port's name in this container, else a number in quotes. */
  private int named(String port) {
    for (JsonNode declared : container.path("ports")) {
      if (declared.path("name").asText().equals(port)) {
        return declared.path("containerPort").asInt();
      }
    }
    if (port.matches("[0-9]{1,5}")) {
      return Integer.parseInt(port);
    }
    throw Refusal.invalid(
        name + ": no port of this container is named " + Refusal.quote(port) + "; declare it");
  }

  private String printable(String field, String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw Refusal.invalid(
          name + ": " + field + " " + Refusal.quote(text) + " holds a control character");
    }
    return text;
  }
}
