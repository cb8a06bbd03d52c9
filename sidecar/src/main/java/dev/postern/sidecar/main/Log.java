package dev.postern.sidecar.main;

import java.io.PrintStream;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One line an event, logfmt, written by a thread of its own: a stopped reader of stdout costs no
 * worker anything. What finds the queue full is dropped and counted.
 */
final class Log implements AutoCloseable {

  private static final int LINES = 4096;
  private static final String END = "";

  private final LogLevel level;
  private final PrintStream out;
  private final InstantSource clock;
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);
  private final AtomicLong dropped = new AtomicLong();
  private final Thread writer;

  Log(LogLevel level, PrintStream out, InstantSource clock) {
    this.level = level;
    this.out = out;
    this.clock = clock;
    writer = Thread.ofPlatform().name("postern-log").daemon().start(this::write);
  }

  /**
   * Logs an event.
   *
   * @param pairs key, value, key, value; values are quoted where they must be
   */
  void event(LogLevel at, String event, Object... pairs) {
    assert pairs.length % 2 == 0;
    if (!level.includes(at)) {
      return;
    }
    StringBuilder line = new StringBuilder(160);
    line.append("ts=").append(clock.instant().truncatedTo(ChronoUnit.MILLIS));
    line.append(" level=").append(at.label()).append(" event=").append(event);
    for (int i = 0; i < pairs.length; i += 2) {
      line.append(' ').append(pairs[i]).append('=');
      appendValue(line, String.valueOf(pairs[i + 1]));
    }
    if (!lines.offer(line.toString())) {
      dropped.incrementAndGet();
    }
  }

  long dropped() {
    return dropped.get();
  }

  /** Values that peers chose are quoted and escaped: one event stays one line. */
  private static void appendValue(StringBuilder line, String value) {
    boolean plain = !value.isEmpty() && value.chars().allMatch(Log::isPlain);
    if (plain) {
      line.append(value);
      return;
    }
    line.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else {
        line.append(c < ' ' || c == 127 ? '?' : c);
      }
    }
    line.append('"');
  }

  private static boolean isPlain(int c) {
    return c > ' ' && c < 127 && c != '"' && c != '=' && c != '\\';
  }

  private void write() {
    try {
      for (String line = lines.take(); !line.equals(END); line = lines.take()) {
        out.println(line);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what waits, for a second at most. */
  @Override
  public void close() {
    try {
      if (lines.offer(END, 1, TimeUnit.SECONDS)) {
        writer.join(1000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
