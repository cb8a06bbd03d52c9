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
        reloader.poll();
      }
    } catch (InterruptedException e) {
      // Closed: the process is ending.
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
