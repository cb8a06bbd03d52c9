package dev.postern.sidecar.io.epoll;

import dev.postern.sidecar.io.epoll.Operations.Kind;

/** Pure decisions: what epoll's events say about a descriptor and whom they concern. */
final class Readiness {

  private static final int READ = EpollSet.IN | EpollSet.RDHUP;
  private static final int END = EpollSet.ERR | EpollSet.HUP;

  private Readiness() {}

  /** The bits of {@link Descriptors} that events set. */
  static int bits(int events) {
    int bits = 0;
    if ((events & (READ | END)) != 0) {
      bits |= Descriptors.READABLE;
    }
    if ((events & (EpollSet.OUT | END)) != 0) {
      bits |= Descriptors.WRITABLE;
    }
    if ((events & (EpollSet.RDHUP | END)) != 0) {
      bits |= Descriptors.ENDED;
    }
    if ((events & EpollSet.PRI) != 0) {
      bits |= Descriptors.URGENT;
    }
    return bits;
  }

  /** Whether an operation that waits should be tried again; {@code polled} is POLL's own mask. */
  static boolean concerns(int events, Kind kind, int polled) {
    int interest =
        switch (kind) {
          case ACCEPT, RECV -> READ;
          case SEND, CONNECT -> EpollSet.OUT;
          case POLL -> polled;
        };
    return (events & (interest | END)) != 0;
  }

  /** The bit that EAGAIN takes away. */
  static int needed(Kind kind) {
    return switch (kind) {
      case ACCEPT, RECV -> Descriptors.READABLE;
      case SEND, CONNECT -> Descriptors.WRITABLE;
      case POLL -> 0;
    };
  }
}
