package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postern.crds.Api;

/** Puts the parts into a pod: our two init containers first, volumes, label, status. */
final class Assembly {

  private Assembly() {}

  /**
   * @param pod without our containers; changed in place
   * @param brought what the pod had: a part that is the same stays as it was, defaults and all
   */
  static void putInto(ObjectNode pod, SidecarParts parts, BroughtParts brought) {
    ObjectNode spec = pod.withObject("/spec");
    ArrayNode inits = spec.withArrayProperty("initContainers");
    inits.insert(0, brought.redirect(parts.redirect()));
    inits.insert(1, brought.sidecar(parts.sidecar()));
    ArrayNode volumes = spec.withArrayProperty("volumes");
    parts.volumes().forEach(volume -> putVolume(volumes, volume));
    ObjectNode metadata = pod.withObject("/metadata");
    metadata.withObjectProperty("labels").put(Api.WORKLOAD_LABEL, parts.pod().workload());
    metadata.withObjectProperty("annotations").put(Api.STATUS, parts.status());
  }

  /** A volume's place among the others means nothing, so one that is there keeps it. */
  private static void putVolume(ArrayNode volumes, ObjectNode volume) {
    String name = volume.path("name").asText();
    for (JsonNode there : volumes) {
      if (there.path("name").asText().equals(name)) {
        refuseOther(name, volume, there);
        return;
      }
    }
    volumes.add(volume);
  }

  private static void refuseOther(String name, ObjectNode computed, JsonNode there) {
    Sameness.difference("volume " + name, computed, there)
        .ifPresent(
            difference -> {
              throw BroughtParts.brings("a volume named " + name + " (" + difference + ")");
            });
  }
}
