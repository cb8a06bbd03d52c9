package dev.postern.sidecar.io;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.LibcSetup;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the sleep of one loop from any thread, with a system call only when it sleeps.
 *
 * <p>The loop says that it will sleep, then looks for a wish to wake; the others wish, then look
 * whether it sleeps. Both fields are volatile, so between each write and the read after it stands a
 * full fence, and at least one side sees the other. For backends.
 *
 * <p>A wish that came before {@link #awake} belongs to a command that is already in the queue.
 */
public final class Waker implements AutoCloseable {

  private static final int EFD_CLOEXEC_NONBLOCK = 0x80800;

  private final int fd;
  private final AtomicBoolean wished = new AtomicBoolean();
  private volatile boolean sleeping;
  private boolean closed;

  public Waker() {
    fd = new LibcSetup().eventfd(0, EFD_CLOEXEC_NONBLOCK);
    if (fd < 0) {
      throw new IllegalStateException("eventfd: " + Errno.name(-fd));
    }
  }

  /** The eventfd that becomes readable; its count is never read, each write is an edge. */
  public int fd() {
    return fd;
  }

  /** Loop: announces sleep. False: somebody wants it awake, it must not wait. */
  public boolean maySleep() {
    sleeping = true;
    return !wished.get();
  }

  /** Loop: after the wait, slept or not. True: look at the queue before sleeping again. */
  public boolean awake() {
    sleeping = false;
    return wished.getAndSet(false);
  }

  /** Any thread: after its command is in the loop's queue. */
  public void wake() {
    if (!wished.getAndSet(true) && sleeping) {
      write();
    }
  }

  private synchronized void write() {
    if (!closed) {
      Libc.eventfdWrite(fd, 1);
    }
  }

  /** After this a late {@link #wake} does nothing. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      new Libc().close(fd);
    }
  }
}
