package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Errno;
import java.util.BitSet;
import java.util.List;

/** The listening sockets of one worker: one accept in flight on each, unless there are reasons. */
final class Listeners {

  private final Worker worker;
  private final int[] fds;
  private final BitSet inFlight = new BitSet();
  private long rearmAtNs = Long.MAX_VALUE;
  private boolean closing;

  Listeners(Worker worker, List<Integer> fds) {
    this.worker = worker;
    this.fds = fds.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Arms what is not armed. Connections wait in the backlog while handshakes are full. */
  void arm() {
    if (closing || rearmAtNs != Long.MAX_VALUE || worker.handshakesAreFull()) {
      return;
    }
    for (int i = 0; i < fds.length; i++) {
      if (!inFlight.get(i)) {
        inFlight.set(i);
        worker.loop().accept(fds[i], Operation.ACCEPT.token(i, 0));
      }
    }
  }

  void accepted(int index, int result) {
    inFlight.clear(index);
    if (result >= 0) {
      worker.admit(result);
    } else if (!isPassing(-result) && !closing) {
      // EMFILE and its kind: trying again at once would spin (accept(2)).
      worker.acceptFailed(-result);
      rearmAtNs = worker.nowNs() + Worker.acceptPauseNs();
    }
    if (closing) {
      closeIdle();
    } else {
      arm();
    }
  }

  private static boolean isPassing(int errno) {
    return errno == Errno.ECONNABORTED
        || errno == Errno.EINTR
        || errno == Errno.ECANCELED
        || errno == Errno.EAGAIN;
  }

  void rearmIfDue(long nowNs) {
    if (rearmAtNs != Long.MAX_VALUE && nowNs - rearmAtNs >= 0) {
      rearmAtNs = Long.MAX_VALUE;
      arm();
    }
  }

  long rearmAtNs() {
    return rearmAtNs;
  }

  /** Takes what waits in the backlogs, since closing a listener resets that, then closes. */
  void close() {
    closing = true;
    rearmAtNs = Long.MAX_VALUE;
    for (int i = 0; i < fds.length; i++) {
      for (int fd = worker.acceptNow(fds[i]); fd >= 0; fd = worker.acceptNow(fds[i])) {
        worker.admit(fd);
      }
      if (inFlight.get(i)) {
        worker.loop().cancel(Operation.ACCEPT.token(i, 0));
      }
    }
    closeIdle();
  }

  private void closeIdle() {
    for (int i = 0; i < fds.length; i++) {
      if (fds[i] >= 0 && !inFlight.get(i)) {
        worker.loop().close(fds[i]);
        fds[i] = -1;
      }
    }
  }

  boolean closed() {
    for (int fd : fds) {
      if (fd >= 0) {
        return false;
      }
    }
    return true;
  }
}
