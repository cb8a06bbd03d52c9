package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postern.operator.inject.OwnerLookup.Owner;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * The name under which a pod's identity, policy and status stand: its top owner's, or the pod's own
 * name, or its generateName without the dash.
 */
final class Workload {

  /** Fits a label value (63) and leaves room for the prefixes of the objects' names. */
  static final int MAX_NAME = 50;

  private static final int KEPT = 41;
  private static final Set<String> FOLLOWED = Set.of("ReplicaSet", "Job");

  private Workload() {}

  static String of(JsonNode pod, String namespace, OwnerLookup lookup) {
    Optional<Owner> owner = controller(pod);
    if (owner.isPresent() && FOLLOWED.contains(owner.get().kind())) {
      owner = lookup.controllerOf(namespace, owner.get()).or(() -> controller(pod));
    }
    return shortened(owner.map(Owner::name).orElseGet(() -> ownName(pod)));
  }

  /** Longer than 50 characters: the first 41, a dash, and 8 hex digits of the whole's SHA-256. */
  static String shortened(String name) {
    if (name.length() <= MAX_NAME) {
      return name;
    }
    // A part that ends in a dot or a dash would make "x.-hash", which is no DNS subdomain.
    return name.substring(0, KEPT).replaceFirst("[.-]+$", "") + "-" + hash(name).substring(0, 8);
  }

  private static Optional<Owner> controller(JsonNode pod) {
    for (JsonNode reference : pod.at("/metadata/ownerReferences")) {
      if (reference.path("controller").asBoolean()) {
        return Optional.of(
            new Owner(
                reference.path("kind").asText(),
                reference.path("name").asText(),
                reference.path("uid").asText()));
      }
    }
    return Optional.empty();
  }

  private static String ownName(JsonNode pod) {
    String name = pod.at("/metadata/name").asText();
    if (name.isEmpty()) {
      name = pod.at("/metadata/generateName").asText().replaceFirst("[.-]+$", "");
    }
    if (name.isEmpty()) {
      throw Refusal.invalid("metadata: the pod has neither name nor generateName");
    }
    return name;
  }

  private static String hash(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
