package dev.postern.sidecar.config;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The values that a field may have. Another one is refused: what it was meant to forbid is not
 * known.
 *
 * @param name of a value, as policies write it
 */
record ClosedSet<E>(List<E> values, Function<E, String> name) {

  ClosedSet {
    values = List.copyOf(values);
  }

  static <E extends Enum<E>> ClosedSet<E> of(Class<E> type, Function<E, String> name) {
    return new ClosedSet<>(List.of(type.getEnumConstants()), name);
  }

  /** The value at this place. */
  E read(JsonText json, String field) throws FileRefused, IOException {
    String text = json.string(field);
    for (E value : values) {
      if (name.apply(value).equals(text)) {
        return value;
      }
    }
    String allowed = values.stream().map(name).collect(Collectors.joining(", "));
    throw json.refuse("%s is \"%s\", allowed: %s".formatted(field, text, allowed));
  }

  /** The list at this place, none of them twice; null: empty. */
  List<E> readList(JsonText json, String field) throws FileRefused, IOException {
    if (json.token() == JsonToken.VALUE_NULL) {
      return List.of();
    }
    json.expect(JsonToken.START_ARRAY, field, "null or an array");
    List<E> list = new ArrayList<>();
    while (json.next() != JsonToken.END_ARRAY) {
      String at = "%s[%d]".formatted(field, list.size());
      E value = read(json, at);
      if (list.contains(value)) {
        throw json.refuse("%s is \"%s\" a second time".formatted(at, name.apply(value)));
      }
      list.add(value);
    }
    if (list.isEmpty()) {
      throw json.refuse(field + " must be null or have at least one value");
    }
    return list;
  }
}
