package dev.postern.sidecar.io.epoll;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Memory;
import java.lang.foreign.Arena;

/** One epoll instance and the array that its events are read from (epoll_wait(2)). */
final class EpollSet implements AutoCloseable {

  static final int IN = 0x1;
  static final int PRI = 0x2;
  static final int OUT = 0x4;
  static final int ERR = 0x8;
  static final int HUP = 0x10;
  static final int RDHUP = 0x2000;
  private static final int ET = 1 << 31;

  /** The descriptor number under which the waker's events come. */
  static final int WAKER = -1;

  private static final int CTL_ADD = 1;
  private static final int CLOEXEC = 0x80000;
  private static final int MAX_EVENTS = 256;
  private static final long NS_PER_MS = 1_000_000;

  // struct epoll_event is packed on x86-64 only (sys/epoll.h).
  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");
  static final int EVENT_BYTES = PACKED ? 12 : 16;
  static final int DATA_OFFSET = PACKED ? 4 : 8;

  private final Libc libc;
  private final Arena arena = Arena.ofShared();
  private final long events = arena.allocate((long) MAX_EVENTS * EVENT_BYTES, 8).address();
  private final long change = arena.allocate(EVENT_BYTES, 8).address();
  private final int fd;

  EpollSet(Libc libc) {
    this.libc = libc;
    fd = new LibcSetup().epollCreate1(CLOEXEC);
    if (fd < 0) {
      arena.close();
      throw new IllegalStateException("epoll_create1: " + Errno.name(-fd));
    }
  }

  /** Registers for every edge, once for the descriptor's life; 0 or -errno. */
  int add(int descriptor, int generation) {
    return add(descriptor, IN | OUT | PRI | RDHUP | ET, descriptor, generation);
  }

  /** Registers the eventfd of a waker. */
  int addWaker(int descriptor) {
    return add(descriptor, IN | ET, WAKER, 0);
  }

  private int add(int descriptor, int interest, int name, int generation) {
    Memory.putInt(change, interest);
    Memory.putInt(change + DATA_OFFSET, name);
    Memory.putInt(change + DATA_OFFSET + 4, generation);
    return libc.epollCtl(fd, CTL_ADD, descriptor, change);
  }

  /** Waits; the number of events, 0 also after a signal. Nanoseconds are rounded up to ms. */
  int await(long timeoutNs) {
    int count = libc.epollWait(fd, events, MAX_EVENTS, toMs(timeoutNs));
    if (count < 0 && count != -Errno.EINTR) {
      throw new IllegalStateException("epoll_wait: " + Errno.name(-count));
    }
    return Math.max(count, 0);
  }

  static int toMs(long timeoutNs) {
    return timeoutNs < 0
        ? -1
        : (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(timeoutNs, NS_PER_MS));
  }

  int events(int index) {
    return Memory.getInt(event(index));
  }

  int descriptor(int index) {
    return Memory.getInt(event(index) + DATA_OFFSET);
  }

  int generation(int index) {
    return Memory.getInt(event(index) + DATA_OFFSET + 4);
  }

  private long event(int index) {
    return events + (long) index * EVENT_BYTES;
  }

  @Override
  public void close() {
    libc.close(fd);
    arena.close();
  }
}
