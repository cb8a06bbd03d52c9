package dev.postern.operator.inject;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectionChoiceTest {

  private final Cluster cluster = new Cluster();
  private final Injector injector = new Injector(Pods.SETTINGS, cluster);

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, Untouched",
        "-, true, Patched",
        "-, false, Untouched",
        "false, true, Patched",
        "nonsense, -, Untouched",
        "true, -, Patched",
        "true, true, Patched",
        "true, false, Untouched",
        "required, -, Patched",
        "required, true, Patched",
        "required, false, Refused"
      })
  void shouldChooseByNamespaceThenByPod(String namespace, String pod, String outcome) {
    cluster.namespaceLabels.clear();
    if (namespace != null) {
      cluster.namespaceLabels.put("postern.dev/inject", namespace);
    }
    assertThat(
            injector
                .mutate(
                    Pods.NAMESPACE, pod == null ? Pods.pod("{}") : Pods.annotated("inject", pod))
                .getClass()
                .getSimpleName())
        .isEqualTo(outcome);
  }
}
