package dev.postern.operator.health;

/**
 * Bounds of the JDK's HTTP server. It reads them once, when its first server is created, so they
 * are set before that.
 *
 * <p>Source: module jdk.httpserver, "System properties"; times in seconds.
 */
public final class HttpBounds {

  /** The API server gives up after 5 s; what takes longer is no API server. */
  public static final int MAX_REQUEST_SECONDS = 10;

  private HttpBounds() {}

  /** Call before the first server of the process is made. */
  public static void apply() {
    set("sun.net.httpserver.maxReqTime", MAX_REQUEST_SECONDS);
    set("sun.net.httpserver.maxRspTime", MAX_REQUEST_SECONDS);
    set("jdk.httpserver.maxConnections", 256);
    set("sun.net.httpserver.maxReqHeaders", 50);
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static void set(String property, int value) {
    System.setProperty(property, Integer.toString(value));
  }
}
