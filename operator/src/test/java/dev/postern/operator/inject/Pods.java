package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;

/** Pods from YAML, and what a pod looks like after a patch. */
final class Pods {

  static final String NAMESPACE = "shop";

  static final InjectionSettings SETTINGS =
      new InjectionSettings(
          "registry.example/postern-sidecar:1.0",
          "IfNotPresent",
          "RuntimeDefault",
          "10m",
          "64Mi",
          "128Mi",
          "cluster.local",
          "1.0");

  private static final ObjectMapper YAML = new YAMLMapper();

  private Pods() {}

  static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static ObjectNode resource(String name) {
    try (InputStream in = Pods.class.getResourceAsStream(name)) {
      return (ObjectNode) YAML.readTree(in);
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }

  /** A bare pod named web with one container app; its spec's further fields come from YAML. */
  static ObjectNode pod(String specYaml) {
    ObjectNode pod = yaml("{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {}}");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    spec.setAll(yaml("containers: [{name: app, image: app}]"));
    spec.setAll(yaml(specYaml));
    return pod;
  }

  static ObjectNode annotated(String key, String value) {
    ObjectNode pod = pod("{}");
    pod.withObject("/metadata").withObjectProperty("annotations").put("postern.dev/" + key, value);
    return pod;
  }

  static ObjectNode mutated(Injector injector, JsonNode pod) {
    return switch (injector.mutate(NAMESPACE, pod)) {
      case Outcome.Patched patched -> apply(patched.patch(), pod);
      case Outcome.Untouched untouched -> pod.deepCopy();
      case Outcome.Refused refused -> throw new AssertionError(refused.toString());
    };
  }

  static Outcome.Refused refused(Injector injector, JsonNode pod) {
    return switch (injector.mutate(NAMESPACE, pod)) {
      case Outcome.Refused refused -> refused;
      case Outcome.Patched patched -> throw new AssertionError("patched: " + patched);
      case Outcome.Untouched untouched -> throw new AssertionError("let through: " + untouched);
    };
  }

  static JsonNode init(JsonNode pod, int index) {
    return pod.at("/spec/initContainers/" + index);
  }

  static String variable(JsonNode pod, int init, String name) {
    return BroughtParts.value(init(pod, init), name);
  }

  /** RFC 6902 add, remove and replace, written apart from the code that makes patches. */
  static ObjectNode apply(JsonNode patch, JsonNode document) {
    ObjectNode result = document.deepCopy();
    for (JsonNode operation : patch) {
      String path = operation.get("path").asText();
      int slash = path.lastIndexOf('/');
      JsonNode parent = result.at(path.substring(0, slash));
      String last = path.substring(slash + 1).replace("~1", "/").replace("~0", "~");
      applyOne(operation, parent, last);
    }
    return result;
  }

  private static void applyOne(JsonNode operation, JsonNode parent, String last) {
    JsonNode value = operation.path("value").deepCopy();
    boolean exists = parent.isObject() ? parent.has(last) : parent.has(index(parent, last));
    switch (operation.get("op").asText()) {
      case "add" -> {
        if (parent instanceof ArrayNode array) {
          array.insert(index(parent, last), value);
        } else {
          ((ObjectNode) parent).set(last, value);
        }
      }
      case "replace" -> {
        require(exists, operation);
        if (parent instanceof ArrayNode array) {
          array.set(index(parent, last), value);
        } else {
          ((ObjectNode) parent).set(last, value);
        }
      }
      case "remove" -> {
        require(exists, operation);
        ((ObjectNode) parent).remove(last);
      }
      default -> throw new AssertionError("unknown operation " + operation);
    }
  }

  private static int index(JsonNode array, String last) {
    return last.equals("-") ? array.size() : Integer.parseInt(last);
  }

  private static void require(boolean exists, JsonNode operation) {
    if (!exists) {
      throw new AssertionError("no target for " + operation);
    }
  }
}
