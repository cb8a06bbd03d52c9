package dev.postern.sidecar.io;

import dev.postern.sidecar.linux.Probe;
import java.util.Locale;

/**
 * Which backend a process uses, and why.
 *
 * @param kind the backend
 * @param reason why it is not io_uring, empty when it is; a label of the metric of fallbacks
 * @param honoured false when a backend was forced that does not work here
 */
public record IoChoice(IoKind kind, String reason, boolean honoured) {

  /** What the configuration asks for. */
  public enum Wanted {
    AUTO,
    IO_URING,
    EPOLL;

    /**
     * From {@code auto}, {@code io_uring} or {@code epoll}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Wanted parse(String word) {
      for (Wanted wanted : values()) {
        if (wanted.name().toLowerCase(Locale.ROOT).equals(word)) {
          return wanted;
        }
      }
      throw new IllegalArgumentException(
          "POSTERN_IO is \"" + word + "\"; write auto, io_uring or epoll");
    }
  }

  /** A pure decision from the wish and what the probe of io_uring has shown. */
  public static IoChoice decide(Wanted wanted, Probe uring) {
    return switch (wanted) {
      case EPOLL -> new IoChoice(IoKind.EPOLL, "policy", true);
      case AUTO -> uring.available() ? uring() : new IoChoice(IoKind.EPOLL, uring.reason(), true);
      case IO_URING ->
          uring.available() ? uring() : new IoChoice(IoKind.EPOLL, uring.reason(), false);
    };
  }

  private static IoChoice uring() {
    return new IoChoice(IoKind.IO_URING, "", true);
  }

  /** {@code io_uring}, or {@code epoll (seccomp-denied)}. */
  @Override
  public String toString() {
    return reason.isEmpty() ? kind.label() : kind.label() + " (" + reason + ")";
  }
}
