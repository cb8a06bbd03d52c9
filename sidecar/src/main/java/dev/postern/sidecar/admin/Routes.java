package dev.postern.sidecar.admin;

import java.util.Map;
import java.util.function.Supplier;

/**
 * Answers by exact method and path; nothing else of a request is looked at.
 *
 * @param answers keys such as "GET /healthz/ready"
 */
public record Routes(Map<String, Supplier<Answer>> answers) {

  public Routes {
    answers = Map.copyOf(answers);
  }

  Answer answer(String method, String path) {
    Supplier<Answer> route = answers.get(method + " " + path);
    if (route == null) {
      return Answer.notFound();
    }
    try {
      return route.get();
    } catch (RuntimeException e) {
      return Answer.broken(e);
    }
  }
}
