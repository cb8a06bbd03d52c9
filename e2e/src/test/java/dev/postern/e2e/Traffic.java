package dev.postern.e2e;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** New connections, one after the other, each with one request, until closed. */
final class Traffic implements AutoCloseable {

  private static final long PAUSE_MS = 50;

  private final MutualTls client;
  private final String address;
  private final int port;
  private final AtomicLong served = new AtomicLong();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean stopped;

  Traffic(MutualTls client, String address, int port) {
    this.client = client;
    this.address = address;
    this.port = port;
    thread = Thread.ofPlatform().name("traffic").start(this::run);
  }

  long served() {
    return served.get();
  }

  List<String> failures() {
    return failures;
  }

  private void run() {
    while (!stopped) {
      try {
        request();
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void request() {
    try {
      String answer = client.get(address, port, "TLSv1.3");
      if (answer.startsWith("HTTP/1.1 200")) {
        served.incrementAndGet();
      } else {
        failures.add("answer: " + answer.lines().findFirst().orElse("(empty)"));
      }
    } catch (IOException e) {
      failures.add(e.toString());
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
