package dev.postern.operator.inject;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Random;

/** Pods of every shape that can be injected, the same for the same seed. */
final class RandomPods {

  private final Random random;

  RandomPods(long seed) {
    random = new Random(seed);
  }

  ObjectNode next() {
    ObjectNode pod = Pods.pod("{}");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    ArrayNode containers = Json.MAPPER.createArrayNode();
    for (int i = 0; i <= random.nextInt(3); i++) {
      containers.add(container("c" + i));
    }
    spec.set("containers", containers);
    if (random.nextBoolean()) {
      spec.set("initContainers", inits());
    }
    if (random.nextBoolean()) {
      spec.set("volumes", Json.array(Json.object("name", "data", "emptyDir", Json.object())));
    }
    if (random.nextBoolean()) {
      pod.withObject("/metadata/annotations").put("postern.dev/memory", "1024Mi");
    }
    if (random.nextBoolean()) {
      pod.withObject("/metadata/annotations").put("postern.dev/cpu", "0.5");
    }
    if (random.nextBoolean()) {
      pod.withObject("/metadata/annotations").put("postern.dev/ports", "80,8080");
    }
    return pod;
  }

  ObjectNode container(String name) {
    ObjectNode container = Json.object("name", name, "image", "x");
    ArrayNode ports = Json.MAPPER.createArrayNode();
    ports.add(Json.object("name", "main", "containerPort", 1 + random.nextInt(15000)));
    if (random.nextBoolean()) {
      ports.add(
          Json.object(
              "containerPort", 1 + random.nextInt(15000), "protocol", one("TCP", "UDP", "SCTP")));
    }
    container.set("ports", ports);
    for (String kind : ProbeTargets.PROBES) {
      if (random.nextBoolean()) {
        container.set(kind, probe());
      }
    }
    for (String kind : ProbeTargets.HOOKS) {
      if (random.nextBoolean()) {
        container.withObjectProperty("lifecycle").set(kind, Json.object("httpGet", httpGet()));
      }
    }
    return container;
  }

  private ArrayNode inits() {
    ObjectNode sidecar = container("native").put("restartPolicy", "Always");
    return Json.array(Json.object("name", "migrate", "image", "x"), sidecar);
  }

  private ObjectNode probe() {
    ObjectNode probe =
        switch (random.nextInt(3)) {
          case 0 -> Json.object("httpGet", httpGet());
          case 1 -> Json.object("tcpSocket", Json.object("port", port()));
          default -> Json.object("exec", Json.object("command", Json.array("x")));
        };
    return random.nextBoolean() ? probe : probe.put("timeoutSeconds", 1 + random.nextInt(5));
  }

  private ObjectNode httpGet() {
    ObjectNode get = Json.object("port", port());
    if (random.nextBoolean()) {
      get.put("path", one("/", "/ready?a=b", "/$(HOME)", "/\"ü\\"));
    }
    if (random.nextBoolean()) {
      get.put("scheme", one("HTTP", "HTTPS"));
    }
    if (random.nextInt(4) == 0) {
      get.put("host", one("fd00::5", "example.org"));
    }
    if (random.nextBoolean()) {
      ObjectNode header = Json.object("name", "X-A", "value", one("$$(A)", "b"));
      get.set(
          "httpHeaders", random.nextBoolean() ? Json.array(header) : Json.array(header, header));
    }
    return get;
  }

  private Object port() {
    return random.nextBoolean() ? "main" : (Object) (1 + random.nextInt(15000));
  }

  private String one(String... values) {
    return values[random.nextInt(values.length)];
  }
}
