package dev.postern.operator.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Conditions of one generation of one object.
 *
 * @param before those that its status holds now
 * @param generation of the spec that was looked at
 */
public record Observed(List<Condition> before, Long generation, Instant now) {

  private static final int LONGEST_MESSAGE = 1000;

  public Observed {
    before = before == null ? List.of() : List.copyOf(before);
  }

  /** The condition as it is now; its transition time moves only when its status does. */
  public Condition condition(String type, boolean status, String reason, String message) {
    String text = status ? "True" : "False";
    String since =
        find(type)
            .filter(it -> text.equals(it.getStatus()))
            .map(Condition::getLastTransitionTime)
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new ConditionBuilder()
        .withType(type)
        .withStatus(text)
        .withReason(reason)
        .withMessage(shortened(message))
        .withLastTransitionTime(since)
        .withObservedGeneration(generation)
        .build();
  }

  /** The condition that the status holds now. */
  public Optional<Condition> find(String type) {
    return before.stream().filter(it -> type.equals(it.getType())).findFirst();
  }

  /** True when the condition says something else than before, apart from its message. */
  public boolean isNews(Condition condition) {
    return find(condition.getType())
        .filter(it -> it.getStatus().equals(condition.getStatus()))
        .filter(it -> it.getReason().equals(condition.getReason()))
        .isEmpty();
  }

  private static String shortened(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE) + "…";
  }
}
