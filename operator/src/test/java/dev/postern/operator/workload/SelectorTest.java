package dev.postern.operator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {

  @ParameterizedTest
  @CsvSource({
    "In, a;b, a, true",
    "In, a;b, c, false",
    "In, a;b, , false",
    "NotIn, a;b, a, false",
    "NotIn, a;b, c, true",
    "NotIn, a;b, , true",
    "Exists, , a, true",
    "Exists, , , false",
    "DoesNotExist, , a, false",
    "DoesNotExist, , , true",
    "Exists, a, a, false",
    "In, , a, false",
    "Gt, 1, 2, false"
  })
  void shouldReadExpressionsAsKubernetesDoes(
      String operator, String values, String label, boolean matches) {
    LabelSelector selector =
        new LabelSelectorBuilder()
            .addNewMatchExpression()
            .withKey("k")
            .withOperator(operator)
            .withValues(values == null ? List.of() : Arrays.asList(values.split(";")))
            .endMatchExpression()
            .build();
    Map<String, String> labels = label == null ? Map.of() : Map.of("k", label);
    assertThat(Selector.matches(selector, labels)).isEqualTo(matches);
  }

  @Test
  void shouldMatchEverythingWhenEmptyAndNothingWhenAbsent() {
    assertThat(Selector.matches(new LabelSelector(), Map.of())).isTrue();
    assertThat(Selector.matches((LabelSelector) null, Map.of())).isFalse();
  }
}
