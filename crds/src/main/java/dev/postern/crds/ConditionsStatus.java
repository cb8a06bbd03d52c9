package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** A status that is conditions only. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ConditionsStatus(List<Condition> conditions) {

  public ConditionsStatus {
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
  }
}
