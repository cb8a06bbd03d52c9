package dev.postern.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @Test
  void shouldReadHoursMinutesAndSeconds() {
    assertThat(DurationText.parse("1h30m10s")).isEqualTo(Duration.ofSeconds(5410));
    assertThat(DurationText.parse("2160h")).isEqualTo(Duration.ofDays(90));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "1d", "h", "99999999999999999999s"})
  void shouldSayWhatIsWanted(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(text + " is no duration, as 2160h or 90m");
  }
}
