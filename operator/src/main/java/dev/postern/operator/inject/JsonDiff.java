package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/**
 * The RFC 6902 operations that make one document of another: add, remove and replace only. Elements
 * put before or after an array's old ones are added one by one; any other change of an array's
 * length replaces the array.
 */
final class JsonDiff {

  private final ArrayNode operations = Json.MAPPER.createArrayNode();

  private JsonDiff() {}

  static ArrayNode between(JsonNode from, JsonNode to) {
    JsonDiff diff = new JsonDiff();
    diff.values("", from, to);
    return diff.operations;
  }

  private void values(String path, JsonNode from, JsonNode to) {
    if (from.equals(to)) {
      return;
    }
    if (from.isObject() && to.isObject()) {
      fields(path, from, to);
    } else if (from.isArray() && to.isArray()) {
      elements(path, from, to);
    } else {
      operation("replace", path, to);
    }
  }

  private void fields(String path, JsonNode from, JsonNode to) {
    for (var field : from.properties()) {
      if (!to.has(field.getKey())) {
        operations.add(Json.object("op", "remove", "path", child(path, field.getKey())));
      }
    }
    for (var field : to.properties()) {
      String place = child(path, field.getKey());
      if (from.has(field.getKey())) {
        values(place, from.get(field.getKey()), field.getValue());
      } else {
        operation("add", place, field.getValue());
      }
    }
  }

  private void elements(String path, JsonNode from, JsonNode to) {
    int added = to.size() - from.size();
    if (added > 0 && endsWith(to, from, added)) {
      for (int i = 0; i < added; i++) {
        operation("add", path + "/" + i, to.get(i));
      }
    } else if (added > 0 && endsWith(to, from, 0)) {
      for (int i = from.size(); i < to.size(); i++) {
        operation("add", path + "/-", to.get(i));
      }
    } else if (added == 0) {
      for (int i = 0; i < to.size(); i++) {
        values(path + "/" + i, from.get(i), to.get(i));
      }
    } else {
      operation("replace", path, to);
    }
  }

  /** Does {@code part} stand in {@code whole} from {@code offset} on? */
  private static boolean endsWith(JsonNode whole, JsonNode part, int offset) {
    for (int i = 0; i < part.size(); i++) {
      if (!whole.get(offset + i).equals(part.get(i))) {
        return false;
      }
    }
    return true;
  }

  private void operation(String op, String path, JsonNode value) {
    operations.add(Json.object("op", op, "path", path, "value", value));
  }

  private static String child(String path, String name) {
    return path + "/" + name.replace("~", "~0").replace("/", "~1");
  }
}
