package dev.postern.sidecar.config;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** The field limits; what is absent in it is as by default. */
final class LimitsReader {

  private static final long MOST_HANDSHAKE_SECONDS = Duration.ofMinutes(5).toSeconds();
  private static final long MOST_IDLE_SECONDS = Duration.ofHours(24).toSeconds();
  private static final long MOST_AGE_SECONDS = Duration.ofDays(30).toSeconds();
  private static final long MOST_CONNECTIONS = 1_000_000;

  private Duration handshake = ConnectionLimits.DEFAULT.handshake();
  private Duration idle = ConnectionLimits.DEFAULT.idle();
  private Optional<Duration> age = ConnectionLimits.DEFAULT.age();
  private OptionalInt connections = ConnectionLimits.DEFAULT.connections();

  private LimitsReader() {}

  static ConnectionLimits read(JsonText json, String field) throws FileRefused, IOException {
    json.expect(JsonToken.START_OBJECT, field, "an object");
    LimitsReader reader = new LimitsReader();
    while (json.next() != JsonToken.END_OBJECT) {
      String name = json.name();
      json.next();
      reader.readField(json, name, field + "." + name);
    }
    return new ConnectionLimits(reader.handshake, reader.idle, reader.age, reader.connections);
  }

  private void readField(JsonText json, String name, String field) throws FileRefused, IOException {
    switch (name) {
      case "handshakeSeconds" ->
          handshake = Duration.ofSeconds(json.integer(field, 1, MOST_HANDSHAKE_SECONDS));
      case "idleSeconds" -> idle = Duration.ofSeconds(json.integer(field, 1, MOST_IDLE_SECONDS));
      case "ageSeconds" ->
          age =
              Optional.of(Duration.ofSeconds(json.integer(field, 0, MOST_AGE_SECONDS)))
                  .filter(Duration::isPositive);
      case "connections" -> {
        int most = (int) json.integer(field, 0, MOST_CONNECTIONS);
        connections = most == 0 ? OptionalInt.empty() : OptionalInt.of(most);
      }
      default -> json.skipUnknown(field);
    }
  }
}
