package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TokenMapTest {

  @Property(tries = 200)
  void shouldBehaveAsAMapWhenTokensComeAndGo(
      @ForAll @Size(max = 400) List<@LongRange(min = 0, max = 60) Long> toggled) {
    TokenMap map = new TokenMap(1);
    Map<Long, Integer> expected = new HashMap<>();
    for (long token : toggled) {
      Integer before = expected.remove(token);
      assertThat(map.remove(token)).isEqualTo(before == null ? TokenMap.NONE : before);
      if (before == null) {
        expected.put(token, (int) token * 3);
        map.put(token, (int) token * 3);
      }
    }
    assertThat(map.size()).isEqualTo(expected.size());
    for (long token = 0; token <= 60; token++) {
      assertThat(map.get(token)).isEqualTo(expected.getOrDefault(token, TokenMap.NONE));
    }
  }

  @Test
  void shouldFindEveryTokenWhenTheyDifferInHighBitsOnly() {
    TokenMap map = new TokenMap(8);
    for (int i = 0; i < 1000; i++) {
      map.put((long) i << 40, i);
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(map.get((long) i << 40)).isEqualTo(i);
    }
  }

  @Test
  void shouldObjectWhenATokenIsInFlightTwice() {
    TokenMap map = new TokenMap(8);
    map.put(5, 1);

    assertThatThrownBy(() -> map.put(5, 2)).hasMessageContaining("token 5 is in flight already");
  }
}
