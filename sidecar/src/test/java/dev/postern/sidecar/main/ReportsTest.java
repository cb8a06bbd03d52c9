package dev.postern.sidecar.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.linux.Probe;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportsTest {

  @Test
  void shouldSayOnOrOffWithTheReasonWhenAFeatureIsReported() {
    Map<String, Object> facts =
        Reports.ioFeatures(
            List.of(
                Probe.works("registered-ring"),
                Probe.missing("huge-pages", "not-faster", ""),
                Probe.missing("sqpoll", "off", "")));

    assertThat(Reports.json(facts))
        .isEqualTo(
            """
            {"io.registered-ring":"on","io.huge-pages":"off (not-faster)","io.sqpoll":"off"}
            """);
    assertThat(Reports.pairs(facts))
        .containsExactly(
            "io.registered-ring", "on", "io.huge-pages", "off (not-faster)", "io.sqpoll", "off");
  }
}
