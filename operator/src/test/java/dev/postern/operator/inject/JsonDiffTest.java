package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDiffTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 1} | {a: 2}",
        "{a: 1} | {b: 1}",
        "{a: [1, 2]} | {a: [0, 9, 1, 2]}",
        "{a: [1, 2]} | {a: [1, 2, 3, 4]}",
        "{a: [1, 2]} | {a: [2, 1]}",
        "{a: [1, 2, 3]} | {a: [1]}",
        "{a: [1, 2]} | {a: [1, 3, 2]}",
        "{a: [{b: 1}]} | {a: [{b: 2, c: 3}]}",
        "{a: {b: 1}} | {a: [1]}",
        "{'x/y~z': {b: 1}} | {'x/y~z': {b: 2}}",
        "{a: []} | {a: [1]}",
      })
  void shouldMakeOneDocumentOfTheOther(String from, String to) {
    JsonNode before = Pods.yaml(from);
    JsonNode after = Pods.yaml(to);
    assertThat(Pods.apply(JsonDiff.between(before, after), before)).isEqualTo(after);
  }

  @Test
  void shouldBeEmptyWhenNothingChanges() {
    assertThat(JsonDiff.between(Pods.yaml("{a: [1]}"), Pods.yaml("{a: [1]}"))).isEmpty();
  }

  @Test
  void shouldAddOneByOneWhenElementsComeBefore() {
    ArrayNode patch =
        JsonDiff.between(Pods.yaml("{a: [{n: 1}]}"), Pods.yaml("{a: [{n: 0}, {n: 1}]}"));
    assertThat(patch)
        .isEqualTo(
            Json.array(Json.object("op", "add", "path", "/a/0", "value", Pods.yaml("{n: 0}"))));
  }
}
