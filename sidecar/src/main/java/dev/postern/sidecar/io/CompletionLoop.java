package dev.postern.sidecar.io;

/**
 * The one completion interface: accept, recv, send, connect, poll, cancel, close.
 *
 * <p>Every queued operation ends in exactly one completion. All methods but {@link #wake()} belong
 * to the thread that runs the loop. Tokens are the caller's, any value that is not negative; two
 * operations in flight may not share one. No method allocates once the loop runs.
 */
public interface CompletionLoop extends AutoCloseable {

  /** Which backend this is. */
  IoKind kind();

  /** The buffers that {@link #recv} fills and that the caller may use for sends. */
  BufferPool buffers();

  /**
   * Accepts one connection. Result: a descriptor (non-blocking, close-on-exec) or -errno; EMFILE
   * and ENFILE are results like any other, to be re-armed by the caller's timer.
   */
  void accept(int listenFd, long token);

  /**
   * Receives up to {@code maxBytes} (at most the pool's buffer size) into a buffer that is taken
   * when data is there, not before. Result: bytes with their buffer; 0 for FIN and -errno without
   * one. With no buffer left the operation waits for one to come back. A short result is taken for
   * "drained", unless {@link #holdsRecords} was said of the descriptor.
   */
  void recv(int fd, int maxBytes, long token);

  /** Says that a descriptor's records are the kernel's: a receive ends where their type changes. */
  void holdsRecords(int fd);

  /**
   * Sends with MSG_NOSIGNAL. Result: bytes, perhaps fewer than asked for, or -errno. The memory
   * must stay as it is until the completion.
   */
  void send(int fd, long address, int lengthBytes, long token);

  /**
   * Connects a non-blocking socket to a {@code struct sockaddr}. Result: 0 or -errno. The struct
   * must stay as it is until the completion.
   */
  void connect(int fd, long sockaddr, int sockaddrBytes, long token);

  /** Waits once for poll(2) events. Result: the events that came, or -errno. */
  void poll(int fd, int events, long token);

  /**
   * Cancels an operation in flight; it completes with -ECANCELED, or with its result if that was
   * first. A token that is not in flight is ignored.
   */
  void cancel(long token);

  /** Closes a descriptor on which nothing is in flight. Never reported as a completion. */
  void close(int fd);

  /**
   * Submits what is queued, waits until something has completed, the time is over or {@link #wake}
   * was called, and hands out a bounded number of completions. May return 0 before that.
   *
   * @param timeoutNs 0: do not wait; negative: wait without limit
   * @return the number of completions handed out
   */
  int run(long timeoutNs, CompletionHandler handler);

  /** Makes a waiting {@link #run} return; from any thread. */
  void wake();

  /** Frees rings, descriptors and buffers of the loop itself, not the caller's descriptors. */
  @Override
  void close();
}
