package dev.postern.operator.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.postern.operator.inject.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers AdmissionReviews at one path. What is no review, too large, or too much at once gets an
 * HTTP error, which the API server takes as a failed webhook: the pod is then refused.
 */
final class AdmissionHandler implements HttpHandler {

  /** The API server's own bound for a request. */
  static final int MAX_BODY_BYTES = 3 * 1024 * 1024;

  private static final int MAX_AT_ONCE = 16;
  private static final long MAX_WAIT_SECONDS = 2;
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

  private final String webhook;
  private final BiFunction<String, JsonNode, Outcome> decision;
  private final AdmissionMetrics metrics;
  private final Semaphore turns = new Semaphore(MAX_AT_ONCE);

  /**
   * @param webhook label of the metrics: mutate or validate
   * @param decision from namespace and pod
   */
  AdmissionHandler(
      String webhook, BiFunction<String, JsonNode, Outcome> decision, AdmissionMetrics metrics) {
    this.webhook = webhook;
    this.decision = decision;
    this.metrics = metrics;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!takeTurn()) {
        fail(exchange, 503, "too many requests at once");
        return;
      }
      try {
        answer(exchange);
      } finally {
        turns.release();
      }
    } catch (RuntimeException e) {
      // Without an answer the API server would wait for its timeout.
      LOG.error("{} failed", webhook, e);
      metrics.counted(webhook, AdmissionMetrics.Result.ERROR);
      throw e;
    }
  }

  private boolean takeTurn() {
    try {
      return turns.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      fail(exchange, 405, "POST an AdmissionReview");
    } else if (!isJson(exchange)) {
      fail(exchange, 415, "Content-Type must be application/json");
    } else {
      byte[] body = body(exchange);
      if (body.length > MAX_BODY_BYTES) {
        fail(exchange, 413, "the body is larger than " + MAX_BODY_BYTES + " bytes");
      } else {
        review(exchange, body);
      }
    }
  }

  private void review(HttpExchange exchange, byte[] body) throws IOException {
    try {
      long startNs = System.nanoTime();
      AdmissionReview review = AdmissionReview.parse(body);
      Outcome outcome = decision.apply(review.namespace(), review.pod());
      byte[] answer = review.answer(outcome);
      metrics.answered(webhook, outcome, System.nanoTime() - startNs);
      log(review, outcome);
      send(exchange, 200, "application/json", answer);
    } catch (AdmissionReview.MalformedException e) {
      fail(exchange, 400, e.getMessage());
    }
  }

  private void log(AdmissionReview review, Outcome outcome) {
    JsonNode metadata = review.pod().path("metadata");
    String pod = metadata.path("name").asText(metadata.path("generateName").asText());
    switch (outcome) {
      case Outcome.Patched patched ->
          LOG.info(
              "{}: pod {}/{} injected ({} operations)",
              webhook,
              review.namespace(),
              pod,
              patched.patch().size());
      case Outcome.Untouched untouched ->
          LOG.debug("{}: pod {}/{} {}", webhook, review.namespace(), pod, untouched.reason());
      case Outcome.Refused refused ->
          LOG.info(
              "{}: pod {}/{} refused ({}): {}",
              webhook,
              review.namespace(),
              pod,
              refused.code(),
              refused.message());
    }
  }

  /** At most one byte more than is allowed is read. */
  private static byte[] body(HttpExchange exchange) throws IOException {
    return exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
  }

  private static boolean isJson(HttpExchange exchange) {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    return type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
  }

  private void fail(HttpExchange exchange, int status, String message) throws IOException {
    metrics.counted(webhook, AdmissionMetrics.Result.BAD_REQUEST);
    LOG.debug("{}: {} {}", webhook, status, message);
    // Whoever sent too much gets no chance to go on on this connection.
    exchange.getResponseHeaders().set("Connection", "close");
    send(exchange, status, "text/plain", (message + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
