package dev.postern.sidecar.reload;

import java.time.Duration;

/** Polls a {@link Reloader} until closed. */
public final class ReloadThread implements AutoCloseable {

  private final Thread thread;

  public ReloadThread(Reloader reloader, Duration interval) {
    thread =
        Thread.ofPlatform()
            .name("postern-reload")
            .daemon()
            .start(() -> pollUntilInterrupted(reloader, interval));
  }

  private static void pollUntilInterrupted(Reloader reloader, Duration interval) {
    try {
      while (true) {
        Thread.sleep(interval);
        pollOnce(reloader);
      }
    } catch (InterruptedException e) {
      // Closed: the process is ending.
      Thread.currentThread().interrupt();
    }
  }

  /** Reloads go on whatever one of them throws: without them the identity would expire. */
  private static void pollOnce(Reloader reloader) {
    try {
      reloader.poll();
    } catch (RuntimeException e) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
