package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Short forms to write JSON down in code. */
final class Json {

  static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** An object from alternating names and values; a value is a node or what Jackson maps to one. */
  static ObjectNode object(Object... namesAndValues) {
    assert namesAndValues.length % 2 == 0 : "a name without a value";
    ObjectNode object = MAPPER.createObjectNode();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.set((String) namesAndValues[i], MAPPER.valueToTree(namesAndValues[i + 1]));
    }
    return object;
  }

  static ArrayNode array(Object... values) {
    return MAPPER.valueToTree(List.of(values));
  }
}
