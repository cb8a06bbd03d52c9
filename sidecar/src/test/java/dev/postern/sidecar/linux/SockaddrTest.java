package dev.postern.sidecar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SockaddrTest {

  @ParameterizedTest
  @ValueSource(strings = {"10.1.2.3", "255.255.255.255", "0.0.0.0", "::1", "fd00:10:244::2a", "::"})
  void shouldReadWhatItWroteWhenTheAddressIs(String literal) {
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocate(Sockaddr.STORAGE_BYTES, 8).address();
      for (int port : new int[] {0, 80, 8080, 15443, 65535}) {
        Sockaddr address = Sockaddr.of(literal, port);
        int bytes = address.write(at);

        assertThat(bytes).isEqualTo(address.family() == Sockaddr.AF_INET ? 16 : 28);
        assertThat(Sockaddr.read(at)).isEqualTo(address);
      }
    }
  }

  @Test
  void shouldWriteNetworkByteOrderWhenThePortHasTwoBytes() {
    try (Arena arena = Arena.ofConfined()) {
      long at = arena.allocate(Sockaddr.STORAGE_BYTES, 8).address();
      Sockaddr.of("1.2.3.4", 0x1234).write(at);

      assertThat(Memory.getByte(at + 2)).isEqualTo((byte) 0x12);
      assertThat(Memory.getByte(at + 3)).isEqualTo((byte) 0x34);
      assertThat(Memory.getByte(at + 4)).isEqualTo((byte) 1);
    }
  }

  @Test
  void shouldPrintAsPeopleWriteIt() {
    assertThat(Sockaddr.of("10.0.0.1", 80)).hasToString("10.0.0.1:80");
    assertThat(Sockaddr.of("fd00::1", 80)).hasToString("[fd00:0:0:0:0:0:0:1]:80");
  }

  @Test
  void shouldObjectWhenThePortIsOutOfRange() {
    assertThatThrownBy(() -> Sockaddr.of("10.0.0.1", 65536)).hasMessageContaining("65536");
  }
}
