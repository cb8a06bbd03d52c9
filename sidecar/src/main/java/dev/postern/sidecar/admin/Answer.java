package dev.postern.sidecar.admin;

/** What is answered to one request. */
public record Answer(int status, String contentType, String body) {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  public static Answer ok(String text) {
    return new Answer(200, TEXT, text);
  }

  public static Answer json(String json) {
    return new Answer(200, JSON, json);
  }

  public static Answer of(int status, String contentType, String body) {
    return new Answer(status, contentType, body);
  }

  /** 503 with one line that says why. */
  public static Answer unavailable(String why) {
    return new Answer(503, TEXT, why + "\n");
  }

  static Answer notFound() {
    return new Answer(404, TEXT, "not found\n");
  }

  static Answer broken(RuntimeException fault) {
    return new Answer(500, TEXT, fault + "\n");
  }
}
