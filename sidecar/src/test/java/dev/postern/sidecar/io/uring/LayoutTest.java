package dev.postern.sidecar.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.testing.CProgram;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares every constant of {@link Layout} with the C headers. */
class LayoutTest {

  private static final Map<String, String> IN_C =
      Map.ofEntries(
          size("RING_BYTES", "io_uring"),
          offset("SQ_KHEAD", "io_uring", "sq.khead"),
          offset("SQ_KTAIL", "io_uring", "sq.ktail"),
          offset("SQ_KFLAGS", "io_uring", "sq.kflags"),
          offset("SQ_ARRAY", "io_uring", "sq.array"),
          offset("SQ_SQES", "io_uring", "sq.sqes"),
          offset("CQ_KHEAD", "io_uring", "cq.khead"),
          offset("CQ_KTAIL", "io_uring", "cq.ktail"),
          offset("CQ_CQES", "io_uring", "cq.cqes"),
          offset("RING_FD", "io_uring", "ring_fd"),
          offset("ENTER_RING_FD", "io_uring", "enter_ring_fd"),
          size("PARAMS_BYTES", "io_uring_params"),
          offset("PARAMS_SQ_ENTRIES", "io_uring_params", "sq_entries"),
          offset("PARAMS_CQ_ENTRIES", "io_uring_params", "cq_entries"),
          offset("PARAMS_FLAGS", "io_uring_params", "flags"),
          offset("PARAMS_SQ_THREAD_CPU", "io_uring_params", "sq_thread_cpu"),
          offset("PARAMS_SQ_THREAD_IDLE", "io_uring_params", "sq_thread_idle"),
          size("SQE_BYTES", "io_uring_sqe"),
          offset("SQE_OPCODE", "io_uring_sqe", "opcode"),
          offset("SQE_FLAGS", "io_uring_sqe", "flags"),
          offset("SQE_FD", "io_uring_sqe", "fd"),
          offset("SQE_OFF", "io_uring_sqe", "off"),
          offset("SQE_ADDR", "io_uring_sqe", "addr"),
          offset("SQE_LEN", "io_uring_sqe", "len"),
          offset("SQE_OP_FLAGS", "io_uring_sqe", "msg_flags"),
          offset("SQE_USER_DATA", "io_uring_sqe", "user_data"),
          offset("SQE_BUF_INDEX", "io_uring_sqe", "buf_index"),
          size("CQE_BYTES", "io_uring_cqe"),
          offset("CQE_USER_DATA", "io_uring_cqe", "user_data"),
          offset("CQE_RES", "io_uring_cqe", "res"),
          offset("CQE_FLAGS", "io_uring_cqe", "flags"),
          size("BUF_BYTES", "io_uring_buf"),
          offset("BUF_ADDR", "io_uring_buf", "addr"),
          offset("BUF_LEN", "io_uring_buf", "len"),
          offset("BUF_BID", "io_uring_buf", "bid"),
          offset("BUF_RING_TAIL", "io_uring_buf_ring", "tail"),
          size("BUF_REG_BYTES", "io_uring_buf_reg"),
          offset("BUF_REG_RING_ADDR", "io_uring_buf_reg", "ring_addr"),
          offset("BUF_REG_RING_ENTRIES", "io_uring_buf_reg", "ring_entries"),
          size("GETEVENTS_BYTES", "io_uring_getevents_arg"),
          offset("GETEVENTS_SIGMASK_SZ", "io_uring_getevents_arg", "sigmask_sz"),
          offset("GETEVENTS_TS", "io_uring_getevents_arg", "ts"),
          size("SYNC_CANCEL_BYTES", "io_uring_sync_cancel_reg"),
          offset("SYNC_CANCEL_FD", "io_uring_sync_cancel_reg", "fd"),
          offset("SYNC_CANCEL_FLAGS", "io_uring_sync_cancel_reg", "flags"),
          offset("SYNC_CANCEL_TIMEOUT", "io_uring_sync_cancel_reg", "timeout"));

  private static Map.Entry<String, String> size(String constant, String struct) {
    return Map.entry(constant, "sizeof(struct " + struct + ")");
  }

  private static Map.Entry<String, String> offset(String constant, String struct, String field) {
    return Map.entry(constant, "offsetof(struct " + struct + ", " + field + ")");
  }

  @Test
  void shouldHaveTheSizesAndOffsetsOfTheHeaders(@TempDir Path folder)
      throws IOException, IllegalAccessException, InterruptedException {
    Assumptions.assumeTrue(
        Files.exists(Path.of("/usr/include/liburing.h")), "liburing-dev is not installed");
    String lines =
        IN_C.entrySet().stream()
            .map(e -> "P(\"%s\", %s);".formatted(e.getKey(), e.getValue()))
            .collect(Collectors.joining("\n"));
    String output =
        CProgram.compile(folder, "layout", PROGRAM.replace("LINES", lines)).run(List.of());
    Map<String, Integer> actual = new TreeMap<>();
    for (String line : output.lines().toList()) {
      String[] words = line.split(" ", 2);
      actual.put(words[0], Integer.parseInt(words[1]));
    }

    assertThat(constants()).isEqualTo(actual);
  }

  private static Map<String, Integer> constants() throws IllegalAccessException {
    Map<String, Integer> constants = new TreeMap<>();
    for (Field field : Layout.class.getDeclaredFields()) {
      constants.put(field.getName(), field.getInt(null));
    }
    return constants;
  }

  private static final String PROGRAM =
      """
      #include <liburing.h>
      #include <stddef.h>
      #include <stdio.h>
      #define P(name, value) printf("%s %zu\\n", name, (size_t) (value))
      int main(void) {
      LINES
        return 0;
      }
      """;
}
