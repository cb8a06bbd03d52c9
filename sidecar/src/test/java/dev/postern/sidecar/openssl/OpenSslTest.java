package dev.postern.sidecar.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OpenSslTest {

  @Test
  void shouldTellTheVersionWhenBothLibrariesAreThere() {
    assertThat(OpenSsl.require()).startsWith("OpenSSL 3.");
  }

  @Test
  void shouldNameTheLibraryWhenItIsMissing() {
    assertThatThrownBy(() -> NativeLibrary.open("libnotthere.so.3", "libssl3"))
        .isInstanceOf(LibraryMissing.class)
        .hasMessage("cannot load libnotthere.so.3: install OpenSSL 3 (Debian: libssl3)");
  }

  @Test
  void shouldNameTheSymbolWhenTheLibraryIsTooOld() {
    NativeLibrary library = NativeLibrary.open("libcrypto.so.3", "libssl3");

    assertThatThrownBy(() -> library.procedure("NO_such_function"))
        .isInstanceOf(LibraryMissing.class)
        .hasMessageContaining("libcrypto.so.3 has no NO_such_function");
  }

  @Test
  void shouldQueueTheCauseWhenAKeyCannotBeParsed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment garbage =
          arena.allocateFrom(ValueLayout.JAVA_BYTE, "garbage".getBytes(StandardCharsets.US_ASCII));

      assertThat(EvpPkey.parse(garbage)).isEmpty();

      assertThat(ErrorQueue.take().toString()).isEqualTo("unsupported");
      assertThat(ErrorQueue.take()).isEqualTo(ErrorQueue.Entry.NONE);
    }
  }
}
