package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The ports of the app, ascending.
 *
 * @param tcp served by the sidecar
 * @param loopback named by the user: 127.0.0.1 may be dialled for them
 * @param udp let in as they are
 * @param sctp declared ones, which redirect does not let in
 */
record AppPorts(
    SortedSet<Integer> tcp,
    SortedSet<Integer> loopback,
    SortedSet<Integer> udp,
    SortedSet<Integer> sctp) {

  /**
   * @param pod without Postern's own containers
   */
  static AppPorts of(JsonNode pod, PodAnnotations annotations) {
    SortedSet<Integer> declared = declared(pod, "TCP");
    SortedSet<Integer> named = annotations.ports().orElseGet(TreeSet::new);
    refuseOurs(declared, "containerPort");
    refuseOurs(named, AnnotationKey.PORTS.key());
    return new AppPorts(
        named.isEmpty() ? declared : named, named, declared(pod, "UDP"), declared(pod, "SCTP"));
  }

  static String joined(Collection<Integer> ports) {
    return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  static boolean isOurs(int port) {
    return port == SidecarParts.TLS_PORT || port == SidecarParts.ADMIN_PORT;
  }

  private static SortedSet<Integer> declared(JsonNode pod, String protocol) {
    SortedSet<Integer> ports = new TreeSet<>();
    for (JsonNode container : AppContainers.longRunning(pod)) {
      for (JsonNode port : container.path("ports")) {
        if (port.path("protocol").asText("TCP").equals(protocol)) {
          ports.add(number(container, port));
        }
      }
    }
    return ports;
  }

  private static int number(JsonNode container, JsonNode port) {
    int number = port.path("containerPort").asInt();
    if (number < 1 || number > 65535) {
      throw Refusal.invalid(
          "container "
              + Refusal.quote(AppContainers.name(container))
              + ": a containerPort is not a number from 1 to 65535");
    }
    return number;
  }

  private static void refuseOurs(SortedSet<Integer> ports, String field) {
    for (int port : ports) {
      if (isOurs(port)) {
        throw Refusal.invalid(
            field + ": port " + port + " is the sidecar's own; let the app use another");
      }
    }
  }
}
