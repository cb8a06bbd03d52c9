package dev.postern.sidecar.config;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The field peers: null, or rules. */
final class PeersReader {

  private PeersReader() {}

  static Optional<List<PeerRule>> read(JsonText json, String field)
      throws FileRefused, IOException {
    if (json.token() == JsonToken.VALUE_NULL) {
      return Optional.empty();
    }
    json.expect(JsonToken.START_ARRAY, field, "null or an array");
    List<PeerRule> rules = new ArrayList<>();
    while (json.next() != JsonToken.END_ARRAY) {
      rules.add(peer(json, "%s[%d]".formatted(field, rules.size())));
    }
    return Optional.of(rules);
  }

  /** A rule with a field that is not known is refused: read past, it would let in more. */
  private static PeerRule peer(JsonText json, String at) throws FileRefused, IOException {
    json.expect(JsonToken.START_OBJECT, at, "an object with spiffe or dns");
    PeerRule rule = null;
    while (json.next() != JsonToken.END_OBJECT) {
      String name = json.name();
      json.next();
      String field = at + "." + name;
      if (rule != null) {
        throw json.refuse(at + " must have one of spiffe and dns, nothing else");
      }
      rule =
          switch (name) {
            case "spiffe" -> rule(json, field, PeerRule.Spiffe::parse);
            case "dns" -> rule(json, field, PeerRule.Dns::parse);
            default -> throw json.refuse(field + " is unknown, allowed: spiffe, dns");
          };
    }
    if (rule == null) {
      throw json.refuse(at + " must have one of spiffe and dns");
    }
    return rule;
  }

  private static PeerRule rule(JsonText json, String field, Function<String, PeerRule> parse)
      throws FileRefused, IOException {
    String text = json.string(field);
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw json.refuse("%s is \"%s\": %s".formatted(field, text, e.getMessage()));
    }
  }
}
