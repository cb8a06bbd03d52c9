package dev.postern.operator.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.operator.inject.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * One admission.k8s.io/v1 AdmissionReview about the creation of a pod. A dry run is answered as any
 * other, since deciding has no side effect.
 *
 * @param uid of the request, given back in the answer
 * @param namespace of the pod, which may not yet carry it itself
 * @param pod v1 Pod
 */
record AdmissionReview(String uid, String namespace, JsonNode pod) {

  private static final String API_VERSION = "admission.k8s.io/v1";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The body is no AdmissionReview that this webhook answers; the message says why. */
  static final class MalformedException extends Exception {

    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  static AdmissionReview parse(byte[] body) throws MalformedException {
    JsonNode review = json(body);
    require(
        review.path("apiVersion").asText().equals(API_VERSION)
            && review.path("kind").asText().equals("AdmissionReview"),
        "not an " + API_VERSION + " AdmissionReview");
    JsonNode request = review.path("request");
    require(!request.path("uid").asText().isEmpty(), "request.uid is missing");
    require(
        request.at("/resource/group").asText().isEmpty()
            && request.at("/resource/resource").asText().equals("pods")
            && request.path("subResource").asText().isEmpty(),
        "request.resource is not pods");
    require(request.path("operation").asText().equals("CREATE"), "request.operation is not CREATE");
    require(!request.path("namespace").asText().isEmpty(), "request.namespace is missing");
    require(request.path("object").isObject(), "request.object is missing");
    return new AdmissionReview(
        request.path("uid").asText(), request.path("namespace").asText(), request.path("object"));
  }

  /** The answer as the API server expects it. */
  byte[] answer(Outcome outcome) {
    ObjectNode response = MAPPER.createObjectNode().put("uid", uid);
    switch (outcome) {
      case Outcome.Patched patched -> {
        byte[] patch = patched.patch().toString().getBytes(StandardCharsets.UTF_8);
        response.put("allowed", true);
        response.put("patchType", "JSONPatch");
        response.put("patch", Base64.getEncoder().encodeToString(patch));
        addWarnings(response, patched.warnings());
      }
      case Outcome.Untouched _ -> response.put("allowed", true);
      case Outcome.Refused refused -> {
        response.put("allowed", false);
        response
            .putObject("status")
            .put("code", refused.code())
            .put("reason", reason(refused.code()))
            .put("message", refused.message());
      }
    }
    ObjectNode review =
        MAPPER.createObjectNode().put("apiVersion", API_VERSION).put("kind", "AdmissionReview");
    review.set("response", response);
    return review.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Names of metav1.StatusReason. */
  private static String reason(int code) {
    return switch (code) {
      case 422 -> "Invalid";
      case 503 -> "ServiceUnavailable";
      default -> "Forbidden";
    };
  }

  private static void addWarnings(ObjectNode response, List<String> warnings) {
    if (!warnings.isEmpty()) {
      response.set("warnings", MAPPER.valueToTree(warnings));
    }
  }

  private static JsonNode json(byte[] body) throws MalformedException {
    try {
      JsonNode tree = MAPPER.readTree(body);
      require(tree != null, "the body is empty");
      return tree;
    } catch (JsonProcessingException e) {
      throw new MalformedException("the body is not JSON");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory", e);
    }
  }

  private static void require(boolean holds, String otherwise) throws MalformedException {
    if (!holds) {
      throw new MalformedException(otherwise);
    }
  }
}
