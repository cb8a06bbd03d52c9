package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares an injected part with what is in the pod, allowing for nothing but what the API server
 * itself adds after us: the service account's token, resources of a LimitRange, AlwaysPullImages,
 * resizePolicy, another way to write an amount, and dropped empty strings.
 */
final class Sameness {

  private static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final Set<String> ADDED_BY_SERVER = Set.of("resizePolicy");

  private Sameness() {}

  /** The first difference in words that begin with {@code path}, or empty. */
  static Optional<String> difference(String path, JsonNode expected, JsonNode actual) {
    if (expected.isObject() && actual.isObject()) {
      return fields(path, expected, actual);
    }
    if (expected.isArray() && actual.isArray()) {
      return elements(path, expected, actual);
    }
    boolean same =
        expected.equals(actual)
            || (actual.isMissingNode() && expected.isTextual() && expected.asText().isEmpty());
    return same ? Optional.empty() : differs(path, expected, actual);
  }

  private static Optional<String> fields(String path, JsonNode expected, JsonNode actual) {
    Set<String> names = new TreeSet<>();
    expected.fieldNames().forEachRemaining(names::add);
    actual.fieldNames().forEachRemaining(names::add);
    return names.stream()
        .flatMap(
            name -> field(path + "." + name, name, expected.path(name), actual.path(name)).stream())
        .findFirst();
  }

  private static Optional<String> field(
      String path, String name, JsonNode expected, JsonNode actual) {
    if (expected.isMissingNode() && ADDED_BY_SERVER.contains(name)) {
      return Optional.empty();
    }
    return switch (name) {
      case "imagePullPolicy" ->
          actual.asText().equals("Always") ? Optional.empty() : difference(path, expected, actual);
      case "resources" -> amounts(path, expected, actual);
      case "volumeMounts" -> elements(path, expected, withoutToken(actual));
      default -> difference(path, expected, actual);
    };
  }

  /** What we ask for must be there; a LimitRange may have added more. */
  private static Optional<String> amounts(String path, JsonNode expected, JsonNode actual) {
    for (var kind : expected.properties()) {
      for (var amount : kind.getValue().properties()) {
        JsonNode given = actual.path(kind.getKey()).path(amount.getKey());
        if (!Quantity.same(amount.getValue().asText(), given.asText())) {
          return differs(
              path + "." + kind.getKey() + "." + amount.getKey(), amount.getValue(), given);
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> elements(String path, JsonNode expected, JsonNode actual) {
    return elements(path, expected, iterable(actual));
  }

  private static Optional<String> elements(String path, JsonNode expected, List<JsonNode> actual) {
    if (expected.size() != actual.size()) {
      return Optional.of(path + ": " + actual.size() + " entries, not " + expected.size());
    }
    for (int i = 0; i < actual.size(); i++) {
      Optional<String> difference =
          difference(path + "[" + i + "]", expected.get(i), actual.get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static List<JsonNode> withoutToken(JsonNode mounts) {
    List<JsonNode> kept = iterable(mounts);
    kept.removeIf(
        mount ->
            mount.path("mountPath").asText().equals(TOKEN_PATH)
                && mount.path("readOnly").asBoolean()
                && mount.path("name").asText().startsWith("kube-api-access-"));
    return kept;
  }

  private static List<JsonNode> iterable(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements;
  }

  private static Optional<String> differs(String path, JsonNode expected, JsonNode actual) {
    return Optional.of(path + " is " + shown(actual) + ", not " + shown(expected));
  }

  private static String shown(JsonNode value) {
    return value.isMissingNode()
        ? "missing"
        : Refusal.quote(value.isTextual() ? value.asText() : value.toString());
  }
}
