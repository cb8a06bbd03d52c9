package dev.postern.sidecar.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads POSTERN_PROBES: a JSON array whose index is the N of /probe/N. */
public final class ProbeList {

  private static final String HTTP = "http";
  private static final String TCP = "tcp";

  private String kind = "";
  private int port;
  private String path = "/";
  private String scheme = "HTTP";
  private String host = "";
  private final Map<String, String> headers = new HashMap<>();
  private int timeoutSeconds = 1;

  private ProbeList() {}

  /**
   * Parses the array.
   *
   * @throws IllegalArgumentException naming the probe and the field
   */
  public static List<AppProbe> parse(String json) {
    List<AppProbe> probes = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new IllegalArgumentException("POSTERN_PROBES is not a JSON array");
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        ProbeList one = new ProbeList();
        one.readFields(parser);
        probes.add(one.build(probes.size()));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("POSTERN_PROBES: " + e.getMessage(), e);
    }
    return List.copyOf(probes);
  }

  private void readFields(JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "kind" -> kind = parser.getText();
        case "port" -> port = parser.getIntValue();
        case "path" -> path = parser.getText();
        case "scheme" -> scheme = parser.getText();
        case "host" -> host = parser.getText();
        case "timeoutSeconds" -> timeoutSeconds = parser.getIntValue();
        case "headers" -> readHeaders(parser);
        default -> parser.skipChildren();
      }
    }
  }

  private void readHeaders(JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      headers.put(name, parser.getText());
    }
  }

  private AppProbe build(int index) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("POSTERN_PROBES[" + index + "].port: 1 to 65535");
    }
    Duration timeout = Duration.ofSeconds(Math.max(timeoutSeconds, 1));
    return switch (kind) {
      case TCP -> new AppProbe.Tcp(port, timeout);
      case HTTP -> new AppProbe.Http(port, path, scheme, host, headers, timeout);
      default ->
          throw new IllegalArgumentException(
              "POSTERN_PROBES[" + index + "].kind is \"" + kind + "\"; write http or tcp");
    };
  }
}
