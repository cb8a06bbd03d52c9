package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.linux.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MappedBufferPoolTest {

  @Test
  void shouldLendEachBufferOnceWhenAllAreTaken() {
    try (MappedBufferPool pool = new MappedBufferPool(4096, 10)) {
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 10; i++) {
        int buffer = pool.acquire();
        addresses.add(pool.address(buffer));
        Memory.putLong(pool.address(buffer) + 4088, 1);
      }

      assertThat(addresses).hasSize(10);
      assertThat(pool.lent()).isEqualTo(10);
      assertThat(pool.acquire()).isEqualTo(BufferPool.NONE);
    }
  }

  @Test
  void shouldLendTheLastReleasedFirst() {
    try (MappedBufferPool pool = new MappedBufferPool(4096, 10)) {
      pool.acquire();
      int hot = pool.acquire();
      pool.release(hot);

      assertThat(pool.acquire()).isEqualTo(hot);
    }
  }

  @Test
  void shouldObjectWhenABufferIsReleasedTwice() {
    try (MappedBufferPool pool = new MappedBufferPool(4096, 10)) {
      int buffer = pool.acquire();
      pool.release(buffer);

      assertThatThrownBy(() -> pool.release(buffer)).hasMessageContaining("is not lent");
      assertThatThrownBy(() -> pool.address(buffer)).hasMessageContaining("is not lent");
    }
  }

  @Test
  void shouldNotCountABufferAsLentWhenItLiesReadyInTheKernel() {
    try (MappedBufferPool pool = new MappedBufferPool(4096, 2)) {
      int ready = pool.setAside();
      assertThat(pool.lent()).isZero();
      assertThat(pool.available()).isEqualTo(1);
      pool.lend(ready);
      assertThat(pool.lent()).isEqualTo(1);
      pool.release(ready);
      assertThat(pool.available()).isEqualTo(2);
    }
  }

  @Test
  void shouldTakeNoMemoryWhenNothingIsTouched() throws IOException {
    long before = residentKiB();
    try (MappedBufferPool pool = new MappedBufferPool(1 << 20, 1024)) {
      for (int i = 0; i < 100_000; i++) {
        int buffer = pool.acquire();
        Memory.putLong(pool.address(buffer), i);
        pool.release(buffer);
      }

      assertThat(residentKiB() - before).isLessThan(200 * 1024);
    }
  }

  private static long residentKiB() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
