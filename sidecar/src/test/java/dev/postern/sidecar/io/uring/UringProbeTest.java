package dev.postern.sidecar.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Probe;
import java.io.IOException;
import java.nio.file.Path;
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
    String output = Denial.OF_ALL_CALLS.run(folder, ProbeMain.class);

    assertThat(output).contains("reason=seccomp-denied").contains("EPERM");
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
}
