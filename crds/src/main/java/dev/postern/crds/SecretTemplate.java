package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/** Labels and annotations for the Secret that a Certificate makes. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SecretTemplate(Map<String, String> labels, Map<String, String> annotations) {

  public SecretTemplate {
    labels = labels == null ? Map.of() : Map.copyOf(labels);
    annotations = annotations == null ? Map.of() : Map.copyOf(annotations);
  }
}
