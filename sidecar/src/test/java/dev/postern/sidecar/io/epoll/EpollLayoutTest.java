package dev.postern.sidecar.io.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.testing.CProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the epoll constants with the C headers of this machine's architecture. */
class EpollLayoutTest {

  @Test
  void shouldHaveTheSizesAndBitsOfTheHeaders(@TempDir Path folder)
      throws IOException, InterruptedException {
    String output = CProgram.compile(folder, "epoll", PROGRAM).run(List.of());

    assertThat(output.strip())
        .isEqualTo(
            "%d %d %d %d %d %d %d %d"
                .formatted(
                    EpollSet.EVENT_BYTES,
                    EpollSet.DATA_OFFSET,
                    EpollSet.IN,
                    EpollSet.PRI,
                    EpollSet.OUT,
                    EpollSet.ERR,
                    EpollSet.HUP,
                    EpollSet.RDHUP));
  }

  @Test
  void shouldRoundUpWhenTheTimeIsNoWholeMillisecond() {
    assertThat(EpollSet.toMs(-1)).isEqualTo(-1);
    assertThat(EpollSet.toMs(0)).isZero();
    assertThat(EpollSet.toMs(1)).isEqualTo(1);
    assertThat(EpollSet.toMs(1_000_000)).isEqualTo(1);
    assertThat(EpollSet.toMs(1_000_001)).isEqualTo(2);
    assertThat(EpollSet.toMs(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }

  private static final String PROGRAM =
      """
      #include <stddef.h>
      #include <stdio.h>
      #include <sys/epoll.h>
      int main(void) {
        printf("%d %d %d %d %d %d %d %d", (int) sizeof(struct epoll_event),
            (int) offsetof(struct epoll_event, data), EPOLLIN, EPOLLPRI, EPOLLOUT, EPOLLERR,
            EPOLLHUP, EPOLLRDHUP);
        return 0;
      }
      """;
}
