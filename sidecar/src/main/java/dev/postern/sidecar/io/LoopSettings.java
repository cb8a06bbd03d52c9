package dev.postern.sidecar.io;

/**
 * Sizes of one worker's loop; all memory is reserved at start, touched when used.
 *
 * @param bufferBytes size of each buffer
 * @param bufferCount number of buffers, at most 32768 (io_uring numbers them by 16 bits)
 * @param completionsPerRun bound of one {@link CompletionLoop#run}
 * @param submissionEntries io_uring: size of the submission ring, a power of two
 * @param completionEntries io_uring: size of the completion ring, a power of two; more completions
 *     than that wait in the kernel
 * @param providedBuffers io_uring: buffers that lie ready in the kernel, a power of two
 */
public record LoopSettings(
    int bufferBytes,
    int bufferCount,
    int completionsPerRun,
    int submissionEntries,
    int completionEntries,
    int providedBuffers) {

  /** 32 MiB of address space a worker, of which an idle worker touches 64 pages at most. */
  public static final LoopSettings DEFAULT = new LoopSettings(32 * 1024, 1024, 256, 256, 4096, 64);

  public LoopSettings {
    assert bufferBytes > 0 && bufferCount > 0 && bufferCount <= 32768;
    assert completionsPerRun > 0;
    assert powerOfTwo(submissionEntries) && powerOfTwo(completionEntries);
    assert powerOfTwo(providedBuffers);
  }

  public LoopSettings withBuffers(int bytes, int count) {
    return new LoopSettings(
        bytes, count, completionsPerRun, submissionEntries, completionEntries, providedBuffers);
  }

  private static boolean powerOfTwo(int number) {
    return Integer.bitCount(number) == 1 && number > 0;
  }
}
