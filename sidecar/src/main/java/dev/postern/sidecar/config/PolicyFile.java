package dev.postern.sidecar.config;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.BoundedFile;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import dev.postern.sidecar.files.Loaded;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.TlsVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The file v1.json (schema in the crds module). What is absent takes its strictest value. */
public final class PolicyFile {

  private static final int MAX_BYTES = 1024 * 1024;

  private final Path file;

  public PolicyFile(Path file) {
    this.file = file;
  }

  /** What to watch. */
  public List<Path> paths() {
    return List.of(file);
  }

  /** Reads and validates it. */
  public Loaded<Policy> load() throws FileRefused {
    return JsonText.parse(file, BoundedFile.read(file, MAX_BYTES), PolicyFile::read);
  }

  private static Policy read(JsonText json) throws FileRefused, IOException {
    json.expect(JsonToken.START_OBJECT, "the file", "a JSON object");
    Fields fields = new Fields();
    while (json.next() != JsonToken.END_OBJECT) {
      String name = json.name();
      json.next();
      readField(json, name, fields);
    }
    return fields.toPolicy(json);
  }

  private static void readField(JsonText json, String name, Fields fields)
      throws FileRefused, IOException {
    switch (name) {
      case "version" -> fields.version = json.string(name);
      case "mode" -> fields.mode = choice(json, name, Mode.values(), Mode::policyName);
      case "minVersion" ->
          fields.minVersion = choice(json, name, TlsVersion.values(), TlsVersion::policyName);
      case "clientCertificate" ->
          fields.clientCertificate =
              choice(json, name, ClientCertificate.values(), ClientCertificate::policyName);
      case "trustDomain" -> fields.trustDomain = trustDomain(json, name);
      case "peers" -> fields.peers = peers(json, name);
      default -> json.skipUnknown(name);
    }
  }

  private static final class Fields {
    private String version = "";
    private Mode mode = Mode.STRICT;
    private TlsVersion minVersion = TlsVersion.TLS1_2;
    private ClientCertificate clientCertificate = ClientCertificate.REQUIRED;
    private String trustDomain = "";
    private Optional<List<PeerRule>> peers = Optional.empty();

    private Policy toPolicy(JsonText json) throws FileRefused {
      if (version.isEmpty()) {
        throw json.refuse("version is missing");
      }
      if (trustDomain.isEmpty()) {
        throw json.refuse("trustDomain is missing");
      }
      if (peers.isPresent() && clientCertificate == ClientCertificate.NONE) {
        json.warn("peers are listed but clientCertificate is None: nobody can be recognised");
      }
      return new Policy(
          version,
          mode,
          minVersion,
          clientCertificate,
          new PeerRules(trustDomain, clientCertificate, peers));
    }
  }

  private static <E> E choice(JsonText json, String field, E[] values, Function<E, String> name)
      throws FileRefused, IOException {
    String text = json.string(field);
    for (E value : values) {
      if (name.apply(value).equals(text)) {
        return value;
      }
    }
    throw json.refuse(
        "%s is \"%s\", allowed: %s"
            .formatted(
                field, text, Arrays.stream(values).map(name).collect(Collectors.joining(", "))));
  }

  private static String trustDomain(JsonText json, String field) throws FileRefused, IOException {
    String text = json.string(field);
    if (!SpiffeId.isTrustDomain(text)) {
      throw json.refuse(
          "%s is \"%s\": a name in lower case is wanted, as cluster.local".formatted(field, text));
    }
    return text;
  }

  private static Optional<List<PeerRule>> peers(JsonText json, String field)
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
