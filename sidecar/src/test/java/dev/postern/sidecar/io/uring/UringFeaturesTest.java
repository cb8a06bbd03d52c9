package dev.postern.sidecar.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.io.IoChoice;
import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.linux.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UringFeaturesTest {

  private static final IoChoice URING = new IoChoice(IoKind.IO_URING, "", true);
  private static final IoChoice DENIED = new IoChoice(IoKind.EPOLL, "seccomp-denied", true);

  @Test
  void shouldSayWhichAreOnAndWhyNotTheOthersWhenIoUringIsUsed() {
    Assumptions.assumeTrue(UringProbe.probe().available(), "io_uring does not work here");

    assertThat(UringFeatures.of(URING))
        .extracting(Probe::feature, Probe::reason)
        .map(Object::toString)
        .containsExactly(
            "(\"deferred-completions\", \"\")",
            "(\"provided-buffers\", \"\")",
            "(\"registered-ring\", \"\")",
            "(\"multishot-accept\", \"handshake-cap\")",
            "(\"registered-files\", \"not-faster\")",
            "(\"registered-buffers\", \"not-faster\")",
            "(\"huge-pages\", \"not-faster\")",
            "(\"sqpoll\", \"off\")");
  }

  @Test
  void shouldGiveTheSameFeaturesTheReasonOfEpollWhenIoUringIsNotUsed() {
    Assumptions.assumeTrue(UringProbe.probe().available(), "io_uring does not work here");
    List<Probe> features = UringFeatures.of(DENIED);

    assertThat(features)
        .extracting(Probe::feature)
        .isEqualTo(UringFeatures.of(URING).stream().map(Probe::feature).toList());
    assertThat(features).extracting(Probe::reason).containsOnly("seccomp-denied");
  }

  @Test
  void shouldNameTheCauseWhenAFilterForbidsOneFeature(@TempDir Path folder)
      throws IOException, InterruptedException {
    Assumptions.assumeTrue(UringProbe.probe().available(), "io_uring does not work here");
    String output = Denial.OF_REGISTERED_RINGS.run(folder, FeaturesMain.class);

    assertThat(output)
        .contains("available=true, reason=, detail=]\nregistered-ring: seccomp-denied");
  }

  /** Prints the probe of io_uring and the cause of one feature, in a process of its own. */
  static final class FeaturesMain {
    public static void main(String[] arguments) {
      System.out.println(UringProbe.probe());
      UringFeatures.of(URING).stream()
          .filter(feature -> feature.feature().equals("registered-ring"))
          .forEach(feature -> System.out.println("registered-ring: " + feature.reason()));
    }
  }
}
