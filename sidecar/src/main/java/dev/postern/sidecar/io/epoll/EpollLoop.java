package dev.postern.sidecar.io.epoll;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.io.CompletionHandler;
import dev.postern.sidecar.io.CompletionLoop;
import dev.postern.sidecar.io.IntQueue;
import dev.postern.sidecar.io.IoKind;
import dev.postern.sidecar.io.LoopSettings;
import dev.postern.sidecar.io.MappedBufferPool;
import dev.postern.sidecar.io.Waker;
import dev.postern.sidecar.io.epoll.Operations.Kind;
import dev.postern.sidecar.io.epoll.Operations.State;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;

/**
 * Completions made from readiness: try the call, and wait for the descriptor's next edge only when
 * it says EAGAIN. A descriptor is registered when it first has to wait, and never again.
 */
public final class EpollLoop implements CompletionLoop {

  private static final int MSG_DONTWAIT = 0x40;
  private static final int EXPECTED_OPERATIONS = 1024;
  private static final int EXPECTED_DESCRIPTORS = 1024;

  private final Libc libc = new Libc();
  private final Waker waker = new Waker();
  private final EpollSet epoll = new EpollSet(libc);
  private final Attempt attempt = new Attempt(libc);
  private final Operations operations = new Operations(EXPECTED_OPERATIONS);
  private final Descriptors descriptors = new Descriptors(operations, EXPECTED_DESCRIPTORS);
  private final IntQueue ready = new IntQueue(EXPECTED_OPERATIONS);
  private final IntQueue waitingForBuffer = new IntQueue(EXPECTED_OPERATIONS);
  private final MappedBufferPool buffers;
  private final int triesPerRun;

  public EpollLoop(LoopSettings settings) {
    buffers = new MappedBufferPool(settings.bufferBytes(), settings.bufferCount());
    triesPerRun = settings.completionsPerRun();
    int result = epoll.addWaker(waker.fd());
    if (result < 0) {
      throw new IllegalStateException("epoll_ctl: " + Errno.name(-result));
    }
  }

  @Override
  public IoKind kind() {
    return IoKind.EPOLL;
  }

  @Override
  public BufferPool buffers() {
    return buffers;
  }

  @Override
  public void accept(int listenFd, long token) {
    queue(Kind.ACCEPT, listenFd, 0, 0, token, Descriptors.READABLE);
  }

  @Override
  public void recv(int fd, int maxBytes, long token) {
    assert maxBytes > 0 && maxBytes <= buffers.sizeBytes() : "recv of " + maxBytes + " bytes";
    queue(Kind.RECV, fd, 0, maxBytes, token, Descriptors.READABLE);
  }

  @Override
  public void holdsRecords(int fd) {
    descriptors.ensure(fd);
    descriptors.set(fd, Descriptors.RECORDS);
  }

  @Override
  public void send(int fd, long address, int lengthBytes, long token) {
    assert lengthBytes > 0 : "send of " + lengthBytes + " bytes";
    queue(Kind.SEND, fd, address, lengthBytes, token, Descriptors.WRITABLE);
  }

  @Override
  public void connect(int fd, long sockaddr, int sockaddrBytes, long token) {
    queue(Kind.CONNECT, fd, sockaddr, sockaddrBytes, token, 0);
  }

  @Override
  public void poll(int fd, int events, long token) {
    queue(Kind.POLL, fd, 0, events, token, 0);
  }

  private void queue(Kind kind, int fd, long address, int length, long token, int needed) {
    descriptors.ensure(fd);
    int slot = operations.add(kind, fd, address, length, token);
    if (needed == 0 || descriptors.has(fd, needed)) {
      ready.add(slot);
    } else {
      descriptors.park(slot);
    }
  }

  @Override
  public void cancel(long token) {
    int slot = operations.find(token);
    if (slot == Operations.NONE) {
      return;
    }
    switch (operations.state[slot]) {
      case READY -> {}
      case PARKED -> {
        descriptors.unpark(slot);
        ready.add(slot);
      }
      case WAITING_BUFFER -> {
        waitingForBuffer.remove(slot);
        ready.add(slot);
      }
      case CANCELED, FREE -> {
        return;
      }
    }
    operations.state[slot] = State.CANCELED;
  }

  @Override
  public void close(int fd) {
    descriptors.ensure(fd);
    descriptors.forget(fd);
    // The last close also takes the descriptor out of the epoll set (epoll(7)).
    libc.close(fd);
  }

  @Override
  public int run(long timeoutNs, CompletionHandler handler) {
    retryWithBuffers();
    boolean woken = false;
    int completed = 0;
    if (!ready.isEmpty()) {
      woken = collect(0);
      completed = tryReady(handler);
    }
    if (completed == 0 && ready.isEmpty()) {
      collect(woken ? 0 : timeoutNs);
      completed = tryReady(handler);
    }
    return completed;
  }

  @Override
  public void wake() {
    waker.wake();
  }

  private void retryWithBuffers() {
    int free = buffers.available();
    for (; free > 0 && !waitingForBuffer.isEmpty(); free--) {
      int slot = waitingForBuffer.take();
      operations.state[slot] = State.READY;
      ready.add(slot);
    }
  }

  /** Takes in what epoll reports; true when {@link #wake} was called before. */
  private boolean collect(long timeoutNs) {
    boolean wait = timeoutNs != 0 && waker.maySleep();
    int count = epoll.await(wait ? timeoutNs : 0);
    boolean woken = waker.awake();
    for (int i = 0; i < count; i++) {
      int fd = epoll.descriptor(i);
      if (fd != EpollSet.WAKER && descriptors.generation(fd) == epoll.generation(i)) {
        onEvents(fd, epoll.events(i));
      }
    }
    return woken;
  }

  private void onEvents(int fd, int events) {
    descriptors.set(fd, Readiness.bits(events));
    for (int slot = descriptors.firstParked(fd); slot != Operations.NONE; ) {
      int next = operations.next[slot];
      if (Readiness.concerns(events, operations.kind[slot], operations.length[slot])) {
        descriptors.unpark(slot);
        operations.state[slot] = State.READY;
        ready.add(slot);
      }
      slot = next;
    }
  }

  /** Bounded by tries, since one that ends in EAGAIN costs as much as one that completes. */
  private int tryReady(CompletionHandler handler) {
    int completed = 0;
    for (int tries = triesPerRun; tries > 0 && !ready.isEmpty(); tries--) {
      completed += tryOne(ready.take(), handler);
      retryWithBuffers();
    }
    return completed;
  }

  private int tryOne(int slot, CompletionHandler handler) {
    if (operations.state[slot] == State.CANCELED) {
      return complete(slot, -Errno.ECANCELED, BufferPool.NONE, handler);
    }
    return switch (operations.kind[slot]) {
      case RECV -> tryRecv(slot, handler);
      case ACCEPT -> settle(slot, attempt.accept(operations.fd[slot]), handler);
      case SEND -> trySend(slot, handler);
      case CONNECT -> settle(slot, tryConnect(slot), handler);
      case POLL ->
          settle(slot, attempt.poll(operations.fd[slot], operations.length[slot]), handler);
    };
  }

  private int tryRecv(int slot, CompletionHandler handler) {
    int buffer = buffers.acquire();
    if (buffer == BufferPool.NONE) {
      operations.state[slot] = State.WAITING_BUFFER;
      waitingForBuffer.add(slot);
      return 0;
    }
    int fd = operations.fd[slot];
    int maxBytes = operations.length[slot];
    int result = libc.recv(fd, buffers.address(buffer), maxBytes, MSG_DONTWAIT);
    if (result <= 0) {
      buffers.release(buffer);
      return settle(slot, result, handler);
    }
    // A short read of a stream has drained it, and what comes later is an edge (epoll(7), Q9);
    // not so before an end that was announced already, at an urgent mark, or between records.
    if (result < maxBytes && !descriptors.has(fd, Descriptors.UNDRAINABLE)) {
      descriptors.drained(fd, Descriptors.READABLE);
    }
    return complete(slot, result, buffer, handler);
  }

  private int trySend(int slot, CompletionHandler handler) {
    int fd = operations.fd[slot];
    int result = attempt.send(fd, operations.address[slot], operations.length[slot]);
    if (result >= 0 && result < operations.length[slot]) {
      descriptors.drained(fd, Descriptors.WRITABLE);
    }
    return settle(slot, result, handler);
  }

  private int tryConnect(int slot) {
    int fd = operations.fd[slot];
    if (operations.started[slot]) {
      return attempt.connected(fd);
    }
    operations.started[slot] = true;
    return attempt.connect(fd, operations.address[slot], operations.length[slot]);
  }

  private int settle(int slot, int result, CompletionHandler handler) {
    if (result != -Errno.EAGAIN) {
      return complete(slot, result, BufferPool.NONE, handler);
    }
    int fd = operations.fd[slot];
    descriptors.clear(fd, Readiness.needed(operations.kind[slot]));
    int registered = register(fd);
    if (registered < 0) {
      return complete(slot, registered, BufferPool.NONE, handler);
    }
    descriptors.park(slot);
    return 0;
  }

  /** The first wait of a descriptor; the kernel reports its state at once, so no edge is lost. */
  private int register(int fd) {
    if (descriptors.has(fd, Descriptors.REGISTERED)) {
      return 0;
    }
    int result = epoll.add(fd, descriptors.generation(fd));
    if (result == 0) {
      descriptors.set(fd, Descriptors.REGISTERED);
    }
    return result;
  }

  private int complete(int slot, int result, int buffer, CompletionHandler handler) {
    long token = operations.token[slot];
    operations.free(slot);
    handler.onCompletion(token, result, buffer);
    return 1;
  }

  @Override
  public void close() {
    waker.close();
    epoll.close();
    attempt.close();
    buffers.close();
  }
}
