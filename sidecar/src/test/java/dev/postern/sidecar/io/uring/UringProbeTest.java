package dev.postern.sidecar.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Probe;
import dev.postern.sidecar.testing.CProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UringProbeTest {

  @ParameterizedTest
  @CsvSource({
    "1, -1, seccomp-denied",
    "1, 0, seccomp-denied",
    "1, 1, io_uring-disabled",
    "1, 2, io_uring-disabled",
    "38, -1, kernel-no-io_uring",
    "38, 0, seccomp-denied",
    "22, 0, kernel-too-old",
    "12, -1, memlock",
    "13, 0, lsm-denied",
    "24, 0, descriptors-exhausted",
    "5, 0, io_uring-broken"
  })
  void shouldNameTheCauseWhenTheKernelAnswers(int errno, int disabled, String reason) {
    assertThat(UringProbe.reason(errno, disabled)).isEqualTo(reason);
  }

  @Test
  void shouldNameTheLibraryWhenItIsMissing() {
    Probe probe = UringProbe.probe("liburing.so.999");

    assertThat(probe.reason()).isEqualTo("liburing-missing");
    assertThat(probe.detail()).contains("liburing.so.999");
  }

  @Test
  void shouldNameTheFunctionWhenTheLibraryIsTooOld() {
    assertThat(UringProbe.probe("libm.so.6").reason()).isEqualTo("liburing-too-old");
  }

  /** A real filter as container runtimes install it: the three calls end in EPERM. */
  @Test
  void shouldSaySeccompDeniedWhenAFilterForbidsTheCalls(@TempDir Path folder)
      throws IOException, InterruptedException {
    CProgram denying = CProgram.compile(folder, "deny", DENY_URING);
    String output = denying.run(java(ProbeMain.class));

    assertThat(output).contains("reason=seccomp-denied").contains("EPERM");
  }

  private static List<String> java(Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }

  /** Prints what the probe finds in a process of its own. */
  static final class ProbeMain {
    public static void main(String[] arguments) {
      System.out.println(UringProbe.probe());
    }
  }

  @Test
  void shouldKnowTheErrnoOfARefusedStep() {
    assertThat(new RingSetupException("step", Errno.ENOMEM).errno()).isEqualTo(Errno.ENOMEM);
  }

  private static final String DENY_URING =
      """
      #include <errno.h>
      #include <linux/filter.h>
      #include <linux/seccomp.h>
      #include <stddef.h>
      #include <stdio.h>
      #include <sys/prctl.h>
      #include <unistd.h>
      #define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
      int main(int argc, char **argv) {
        struct sock_filter code[] = {
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
          BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 425, 0, 2), /* io_uring_setup */
          BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 427, 1, 0), /* io_uring_register */
          ANSWER(SECCOMP_RET_ERRNO | EPERM),
          ANSWER(SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = { sizeof code / sizeof *code, code };
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) { perror("no_new_privs"); return 1; }
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) { perror("seccomp"); return 1; }
        execv(argv[1], argv + 1);
        perror("exec");
        return 1;
      }
      """;
}
