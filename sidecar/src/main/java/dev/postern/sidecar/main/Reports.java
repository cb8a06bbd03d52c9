package dev.postern.sidecar.main;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.postern.sidecar.linux.Probe;
import dev.postern.sidecar.relay.ConnectionReport;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the control socket answers: the same facts as text for people and as JSON. */
final class Reports {

  private Reports() {}

  /** One "key: value" a line. */
  static String text(Map<String, Object> facts) {
    StringBuilder text = new StringBuilder();
    facts.forEach((key, value) -> text.append("%-24s %s%n".formatted(key + ":", value)));
    return text.toString();
  }

  static String json(Map<String, Object> facts) {
    return write(
        json -> {
          json.writeStartObject();
          for (Map.Entry<String, Object> fact : facts.entrySet()) {
            json.writeStringField(fact.getKey(), String.valueOf(fact.getValue()));
          }
          json.writeEndObject();
        });
  }

  static String connectionsText(List<ConnectionReport> connections) {
    String form = "%-22s %-22s %-10s %-8s %-28s %-26s %12s %12s %8s  %s%n";
    StringBuilder text =
        new StringBuilder(
            form.formatted(
                "CLIENT", "APP", "STATE", "TLS", "RECORDS", "IO", "IN", "OUT", "AGE s", "PEER"));
    for (ConnectionReport c : connections) {
      text.append(
          form.formatted(
              c.client(),
              c.app(),
              c.state(),
              c.version(),
              withReason(c.path().records(), c.path().recordsReason()),
              withReason(c.path().io(), c.path().ioReason()),
              c.bytesIn(),
              c.bytesOut(),
              c.ageNs() / 1_000_000_000,
              c.peerName()));
    }
    return text.toString();
  }

  static String connectionsJson(List<ConnectionReport> connections) {
    return write(
        json -> {
          json.writeStartArray();
          for (ConnectionReport connection : connections) {
            writeConnection(json, connection);
          }
          json.writeEndArray();
        });
  }

  private static void writeConnection(JsonGenerator json, ConnectionReport c) throws IOException {
    json.writeStartObject();
    json.writeStringField("client", c.client());
    json.writeStringField("app", c.app());
    json.writeStringField("state", c.state().name());
    json.writeStringField("tls", c.version());
    json.writeStringField("cipher", c.cipherSuite());
    json.writeStringField("peer", c.peerName());
    json.writeStringField("records", c.path().records());
    json.writeStringField("recordsReason", c.path().recordsReason());
    json.writeStringField("io", c.path().io());
    json.writeStringField("ioReason", c.path().ioReason());
    json.writeNumberField("bytesIn", c.bytesIn());
    json.writeNumberField("bytesOut", c.bytesOut());
    json.writeNumberField("ageMs", c.ageNs() / 1_000_000);
    json.writeEndObject();
  }

  /** "io.registered-ring" = "on", "io.huge-pages" = "off (not-faster)", "io.sqpoll" = "off". */
  static Map<String, Object> ioFeatures(List<Probe> features) {
    Map<String, Object> facts = new LinkedHashMap<>();
    for (Probe feature : features) {
      String reason = feature.reason().equals("off") ? "" : feature.reason();
      facts.put("io." + feature.feature(), feature.available() ? "on" : withReason("off", reason));
    }
    return facts;
  }

  /** Facts as {@link Log#event} takes them. */
  static Object[] pairs(Map<String, Object> facts) {
    return facts.entrySet().stream()
        .flatMap(fact -> Stream.of(fact.getKey(), fact.getValue()))
        .toArray();
  }

  /** "epoll (seccomp-denied)". */
  static String withReason(String path, String reason) {
    return reason.isEmpty() ? path : path + " (" + reason + ")";
  }

  @FunctionalInterface
  private interface Content {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private static String write(Content content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      content.writeTo(json);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return text.append('\n').toString();
  }
}
