package dev.postern.operator.webhook;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** AdmissionReviews as the API server writes them. */
final class Reviews {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Reviews() {}

  static byte[] creation(String podJson) throws IOException {
    ObjectNode review =
        MAPPER
            .createObjectNode()
            .put("apiVersion", "admission.k8s.io/v1")
            .put("kind", "AdmissionReview");
    ObjectNode request =
        review
            .putObject("request")
            .put("uid", "u-1")
            .put("operation", "CREATE")
            .put("namespace", "shop")
            .put("dryRun", true);
    request.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
    request.set("object", MAPPER.readTree(podJson));
    return review.toString().getBytes(StandardCharsets.UTF_8);
  }
}
