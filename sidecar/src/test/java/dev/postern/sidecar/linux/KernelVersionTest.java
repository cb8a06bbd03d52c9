package dev.postern.sidecar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KernelVersionTest {

  @Test
  void shouldParseWhatDistributionsWrite() {
    assertThat(KernelVersion.parse("6.1.0-18-amd64\n")).isEqualTo(new KernelVersion(6, 1));
    assertThat(KernelVersion.parse("5.15.153.1-microsoft-standard-WSL2"))
        .isEqualTo(new KernelVersion(5, 15));
    assertThatThrownBy(() -> KernelVersion.parse("linux")).hasMessageContaining("linux");
  }

  @Test
  void shouldCompareNumbersAndNotText() {
    assertThat(new KernelVersion(6, 14).atLeast(6, 2)).isTrue();
    assertThat(new KernelVersion(6, 1).atLeast(6, 2)).isFalse();
    assertThat(new KernelVersion(5, 19).atLeast(6, 1)).isFalse();
    assertThat(new KernelVersion(6, 1).atLeast(6, 1)).isTrue();
  }

  @Test
  void shouldKnowTheRunningKernel() {
    assertThat(KernelVersion.running().atLeast(3, 0)).isTrue();
  }
}
