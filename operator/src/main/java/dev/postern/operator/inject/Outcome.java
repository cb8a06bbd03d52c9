package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/** The answer to one admission request. */
public sealed interface Outcome {

  /**
   * The pod is to be changed.
   *
   * @param patch RFC 6902 operations, never empty
   * @param warnings sentences for the user, may be empty
   */
  record Patched(ArrayNode patch, List<String> warnings) implements Outcome {}

  /**
   * The pod is admitted as it is.
   *
   * @param reason bounded set of values, fit for a metric's label
   */
  record Untouched(Reason reason) implements Outcome {}

  /**
   * The pod is not admitted.
   *
   * @param code HTTP status: 403 a rule forbids it, 422 a value is wrong, 503 try again
   * @param message one sentence with what to change, at most {@link Refusal#MAX_MESSAGE} characters
   */
  record Refused(int code, String message) implements Outcome {}

  /** Why a pod was left alone. */
  enum Reason {
    /** Neither the namespace nor the pod asks for injection, or the pod opts out. */
    NOT_ASKED,
    /** All that would be injected is there already. */
    ALREADY_INJECTED
  }
}
