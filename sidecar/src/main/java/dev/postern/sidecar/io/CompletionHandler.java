package dev.postern.sidecar.io;

/** Receives the results of a {@link CompletionLoop}, on the loop's own thread. */
@FunctionalInterface
public interface CompletionHandler {

  /**
   * One operation has ended.
   *
   * @param token as given when the operation was queued
   * @param result bytes, a descriptor or poll events; negative: an errno with its sign turned
   * @param buffer the buffer that holds received bytes and now belongs to the handler, or {@link
   *     BufferPool#NONE}
   */
  void onCompletion(long token, int result, int buffer);
}
