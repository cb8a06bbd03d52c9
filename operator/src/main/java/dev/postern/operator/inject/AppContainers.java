package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** The containers of a pod, read in one order everywhere: init containers, then the others. */
final class AppContainers {

  private AppContainers() {}

  static List<ObjectNode> all(JsonNode pod) {
    List<ObjectNode> containers = new ArrayList<>();
    collect(pod.at("/spec/initContainers"), containers);
    collect(pod.at("/spec/containers"), containers);
    return containers;
  }

  /** Those that run beside one another: native sidecars and ordinary containers. */
  static List<ObjectNode> longRunning(JsonNode pod) {
    List<ObjectNode> containers = new ArrayList<>();
    for (JsonNode init : pod.at("/spec/initContainers")) {
      if (init.path("restartPolicy").asText().equals("Always") && init instanceof ObjectNode node) {
        containers.add(node);
      }
    }
    collect(pod.at("/spec/containers"), containers);
    return containers;
  }

  static String name(JsonNode container) {
    return container.path("name").asText();
  }

  private static void collect(JsonNode array, List<ObjectNode> into) {
    for (JsonNode container : array) {
      if (container instanceof ObjectNode node) {
        into.add(node);
      }
    }
  }
}
