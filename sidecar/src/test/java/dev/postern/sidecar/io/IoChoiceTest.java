package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.io.IoChoice.Wanted;
import dev.postern.sidecar.linux.Probe;
import org.junit.jupiter.api.Test;

class IoChoiceTest {

  private static final Probe WORKS = Probe.works("io_uring");
  private static final Probe DENIED = Probe.missing("io_uring", "seccomp-denied", "EPERM");

  @Test
  void shouldTakeUringWhenItWorks() {
    assertThat(IoChoice.decide(Wanted.AUTO, WORKS)).hasToString("io_uring");
  }

  @Test
  void shouldTakeEpollWithTheReasonWhenUringDoesNotWork() {
    IoChoice choice = IoChoice.decide(Wanted.AUTO, DENIED);

    assertThat(choice).isEqualTo(new IoChoice(IoKind.EPOLL, "seccomp-denied", true));
    assertThat(choice).hasToString("epoll (seccomp-denied)");
  }

  @Test
  void shouldTakeEpollWhenThePolicySaysSo() {
    assertThat(IoChoice.decide(Wanted.EPOLL, WORKS)).hasToString("epoll (policy)");
  }

  @Test
  void shouldSayThatTheWishIsNotHonouredWhenUringIsForcedAndDoesNotWork() {
    assertThat(IoChoice.decide(Wanted.IO_URING, DENIED).honoured()).isFalse();
    assertThat(IoChoice.decide(Wanted.IO_URING, WORKS).honoured()).isTrue();
  }

  @Test
  void shouldNameTheWordsWhenTheWishIsNotOne() {
    assertThat(Wanted.parse("io_uring")).isEqualTo(Wanted.IO_URING);
    assertThatThrownBy(() -> Wanted.parse("kqueue"))
        .hasMessage("POSTERN_IO is \"kqueue\"; write auto, io_uring or epoll");
  }
}
