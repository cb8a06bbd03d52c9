package dev.postern.sidecar.io.uring;

import static dev.postern.sidecar.linux.Memory.getInt;
import static dev.postern.sidecar.linux.Memory.getLong;
import static dev.postern.sidecar.linux.Memory.putByte;
import static dev.postern.sidecar.linux.Memory.putInt;
import static dev.postern.sidecar.linux.Memory.putLong;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.io.CompletionHandler;
import dev.postern.sidecar.io.CompletionLoop;
import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.io.MappedBufferPool;
import dev.postern.sidecar.io.Waker;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.Sockets;

/**
 * Completions by io_uring: one enter submits what is queued and collects what has completed.
 *
 * <p>The ring binds itself to the thread that calls {@link #run} first.
 */
public final class UringLoop implements CompletionLoop {

  private static final int OP_POLL_ADD = 6;
  private static final int OP_ACCEPT = 13;
  private static final int OP_ASYNC_CANCEL = 14;
  private static final int OP_CONNECT = 16;
  private static final int OP_SEND = 26;
  private static final int OP_RECV = 27;

  private static final int IOSQE_BUFFER_SELECT = 1 << 5;
  private static final int POLL_ADD_MULTI = 1;
  private static final int CQE_F_BUFFER = 1;
  private static final int CQE_F_MORE = 1 << 1;
  private static final int CQE_BUFFER_SHIFT = 16;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int POLLIN = 1;

  // Callers' tokens are not negative.
  private static final long WAKER = -1;
  private static final long CANCELER = -2;

  private static final int EXPECTED_RECEIVES = 1024;
  private static final int SUBMIT_ATTEMPTS = 100;

  private final Libc libc = new Libc();
  private final Receives receives = new Receives(EXPECTED_RECEIVES);
  private final MappedBufferPool buffers;
  private final Ring ring;
  private final ProvidedBuffers provided;
  private final Waker waker;
  private final int completionsPerRun;
  private boolean enabled;
  private boolean wakerArmed;

  public UringLoop(LoopSettings settings) {
    completionsPerRun = settings.completionsPerRun();
    ring = new Ring(RingSetup.deferred(settings.submissionEntries(), settings.completionEntries()));
    buffers = new MappedBufferPool(settings.bufferBytes(), settings.bufferCount());
    waker = new Waker();
    try {
      int ready = Math.clamp(settings.bufferCount() / 4, 1, settings.providedBuffers());
      provided = new ProvidedBuffers(ring, buffers, settings.providedBuffers(), ready);
    } catch (RingSetupException e) {
      waker.close();
      ring.close();
      buffers.close();
      throw e;
    }
  }

  @Override
  public IoKind kind() {
    return IoKind.IO_URING;
  }

  @Override
  public BufferPool buffers() {
    return buffers;
  }

  @Override
  public void accept(int listenFd, long token) {
    long sqe = sqe(OP_ACCEPT, listenFd, token);
    putInt(sqe + Layout.SQE_OP_FLAGS, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
  }

  @Override
  public void recv(int fd, int maxBytes, long token) {
    assert maxBytes > 0 && maxBytes <= buffers.sizeBytes() : "recv of " + maxBytes + " bytes";
    receives.add(fd, maxBytes, token);
    arm(fd, maxBytes, token);
  }

  @Override
  public void holdsRecords(int fd) {
    // Every receive asks the kernel: nothing is ever taken for drained.
  }

  private void arm(int fd, int maxBytes, long token) {
    long sqe = sqe(OP_RECV, fd, token);
    putByte(sqe + Layout.SQE_FLAGS, (byte) IOSQE_BUFFER_SELECT);
    putInt(sqe + Layout.SQE_LEN, maxBytes);
  }

  @Override
  public void send(int fd, long address, int lengthBytes, long token) {
    assert lengthBytes > 0 : "send of " + lengthBytes + " bytes";
    long sqe = sqe(OP_SEND, fd, token);
    putLong(sqe + Layout.SQE_ADDR, address);
    putInt(sqe + Layout.SQE_LEN, lengthBytes);
    putInt(sqe + Layout.SQE_OP_FLAGS, MSG_NOSIGNAL);
  }

  @Override
  public void connect(int fd, long sockaddr, int sockaddrBytes, long token) {
    long sqe = sqe(OP_CONNECT, fd, token);
    putLong(sqe + Layout.SQE_ADDR, sockaddr);
    putLong(sqe + Layout.SQE_OFF, sockaddrBytes);
  }

  @Override
  public void poll(int fd, int events, long token) {
    putInt(sqe(OP_POLL_ADD, fd, token) + Layout.SQE_OP_FLAGS, events);
  }

  @Override
  public void cancel(long token) {
    int slot = receives.find(token);
    if (slot == Receives.NONE || receives.cancel(slot)) {
      putLong(sqe(OP_ASYNC_CANCEL, -1, CANCELER) + Layout.SQE_ADDR, token);
    }
  }

  @Override
  public void close(int fd) {
    libc.close(fd);
  }

  private long sqe(int opcode, int fd, long userData) {
    assert userData >= CANCELER : "token " + userData + " is negative";
    if (ring.submissionsFull()) {
      makeRoom();
    }
    return ring.sqe(opcode, fd, userData);
  }

  private void makeRoom() {
    ensureEnabled();
    for (int attempt = 0; attempt < SUBMIT_ATTEMPTS && ring.submissionsFull(); attempt++) {
      ring.submit();
    }
    if (ring.submissionsFull()) {
      throw new IllegalStateException("the kernel takes no submissions");
    }
  }

  /** For tests: completions wait in the kernel for room in the ring. */
  boolean overflown() {
    return ring.overflown();
  }

  private void ensureEnabled() {
    if (!enabled) {
      ring.enable();
      ring.registerDescriptor();
      enabled = true;
    }
  }

  @Override
  public int run(long timeoutNs, CompletionHandler handler) {
    ensureEnabled();
    armWaker();
    rearmReceives();
    boolean nothingYet = !receives.anyCanceled() && !ring.hasCompletion();
    boolean wait = timeoutNs != 0 && nothingYet && waker.maySleep();
    ring.submitAndWait(wait ? timeoutNs : 0);
    waker.awake();
    return handOutCanceled(handler) + handOut(handler);
  }

  @Override
  public void wake() {
    waker.wake();
  }

  /**
   * The kernel ends a multishot poll when the completion ring overflows, so it may be due again.
   */
  private void armWaker() {
    if (!wakerArmed) {
      long sqe = sqe(OP_POLL_ADD, waker.fd(), WAKER);
      putInt(sqe + Layout.SQE_LEN, POLL_ADD_MULTI);
      putInt(sqe + Layout.SQE_OP_FLAGS, POLLIN);
      wakerArmed = true;
    }
  }

  private void rearmReceives() {
    for (int ready = provided.refill(); ready > 0; ready--) {
      int slot = receives.rearm();
      if (slot == Receives.NONE) {
        return;
      }
      arm(receives.fd(slot), receives.maxBytes(slot), receives.token(slot));
    }
  }

  private int handOutCanceled(CompletionHandler handler) {
    int completed = 0;
    for (int slot = receives.takeCanceled();
        slot != Receives.NONE;
        slot = receives.takeCanceled()) {
      long token = receives.token(slot);
      receives.free(slot);
      handler.onCompletion(token, -Errno.ECANCELED, BufferPool.NONE);
      completed++;
    }
    return completed;
  }

  private int handOut(CompletionHandler handler) {
    int completed = 0;
    while (completed < completionsPerRun && ring.hasCompletion()) {
      long cqe = ring.cqe();
      long token = getLong(cqe + Layout.CQE_USER_DATA);
      int result = getInt(cqe + Layout.CQE_RES);
      int flags = getInt(cqe + Layout.CQE_FLAGS);
      ring.advance();
      completed += token < 0 ? onOwn(token, flags) : onCompletion(token, result, flags, handler);
    }
    return completed;
  }

  private int onOwn(long token, int flags) {
    if (token == WAKER && (flags & CQE_F_MORE) == 0) {
      wakerArmed = false;
    }
    return 0;
  }

  private int onCompletion(long token, int result, int flags, CompletionHandler handler) {
    int slot = receives.find(token);
    if (slot == Receives.NONE) {
      handler.onCompletion(token, result, BufferPool.NONE);
      return 1;
    }
    int buffer = takeBuffer(result, flags);
    if (result == -Errno.ENOBUFS && receives.mayWait(slot)) {
      return 0;
    }
    receives.free(slot);
    handler.onCompletion(token, result == -Errno.ENOBUFS ? -Errno.ECANCELED : result, buffer);
    return 1;
  }

  /** Some kernels hand a buffer out with an end or an error too: it goes back. */
  private int takeBuffer(int result, int flags) {
    if ((flags & CQE_F_BUFFER) == 0) {
      return BufferPool.NONE;
    }
    int buffer = flags >>> CQE_BUFFER_SHIFT;
    provided.taken(buffer);
    if (result > 0) {
      return buffer;
    }
    buffers.release(buffer);
    return BufferPool.NONE;
  }

  @Override
  public void close() {
    waker.close();
    ring.close();
    provided.close();
    buffers.close();
  }
}
