package dev.postern.sidecar.config;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.TlsVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The fields of a policy, gathered one by one. Those that say who may come take their strictest
 * value when they are absent, the others the default that the operator would have written.
 */
final class PolicyFields {

  private static final ClosedSet<Mode> MODE = ClosedSet.of(Mode.class, Mode::policyName);
  private static final ClosedSet<TlsVersion> MIN_VERSION =
      ClosedSet.of(TlsVersion.class, TlsVersion::policyName);
  private static final ClosedSet<ClientCertificate> CLIENT_CERTIFICATE =
      ClosedSet.of(ClientCertificate.class, ClientCertificate::policyName);
  private static final ClosedSet<RecordsPolicy> RECORDS =
      ClosedSet.of(RecordsPolicy.class, RecordsPolicy::policyName);
  private static final ClosedSet<IoPolicy> IO = ClosedSet.of(IoPolicy.class, IoPolicy::policyName);
  private static final ClosedSet<CipherSuite> CIPHER_SUITES =
      ClosedSet.of(CipherSuite.class, CipherSuite::policyName);
  private static final ClosedSet<Group> GROUPS = ClosedSet.of(Group.class, Group::policyName);
  private static final ClosedSet<Resumption> RESUMPTION =
      ClosedSet.of(Resumption.class, Resumption::policyName);
  private static final ClosedSet<ProxyProtocol> PROXY_PROTOCOL =
      ClosedSet.of(ProxyProtocol.class, ProxyProtocol::policyName);

  private static final Pattern PROTOCOL = Pattern.compile("[!-~]{1,255}");
  private static final int MOST_PROTOCOLS = 16;

  private final JsonText json;
  private String version = "";
  private Mode mode = Mode.STRICT;
  private TlsVersion minVersion = TlsVersion.TLS1_2;
  private ClientCertificate clientCertificate = ClientCertificate.REQUIRED;
  private String trustDomain = "";
  private Optional<List<PeerRule>> peers = Optional.empty();
  private RecordsPolicy records = RecordsPolicy.AUTO;
  private IoPolicy io = IoPolicy.AUTO;
  private int kernelRecordsPercent = 100;
  private boolean expectKeyUpdates;
  private List<CipherSuite> cipherSuites = List.of();
  private List<Group> groups = List.of();
  private List<String> alpn = List.of();
  private Resumption resumption = Resumption.ON;
  private ProxyProtocol proxyProtocol = ProxyProtocol.OFF;
  private ConnectionLimits limits = ConnectionLimits.DEFAULT;

  PolicyFields(JsonText json) {
    this.json = json;
  }

  /** Takes the value at this place. */
  void read(String name) throws FileRefused, IOException {
    switch (name) {
      case "version" -> version = json.string(name);
      case "mode" -> mode = MODE.read(json, name);
      case "minVersion" -> minVersion = MIN_VERSION.read(json, name);
      case "clientCertificate" -> clientCertificate = CLIENT_CERTIFICATE.read(json, name);
      case "trustDomain" -> trustDomain = trustDomain(name);
      case "peers" -> peers = PeersReader.read(json, name);
      case "records" -> records = RECORDS.read(json, name);
      case "io" -> io = IO.read(json, name);
      case "kernelRecordsPercent" -> kernelRecordsPercent = (int) json.integer(name, 0, 100);
      case "expectKeyUpdates" -> expectKeyUpdates = json.bool(name);
      case "cipherSuites" -> cipherSuites = CIPHER_SUITES.readList(json, name);
      case "groups" -> groups = GROUPS.readList(json, name);
      case "alpn" -> alpn = alpn(name);
      case "resumption" -> resumption = RESUMPTION.read(json, name);
      case "proxyProtocol" -> proxyProtocol = PROXY_PROTOCOL.read(json, name);
      case "limits" -> limits = LimitsReader.read(json, name);
      default -> json.skipUnknown(name);
    }
  }

  /** All of them, once the last is read. */
  Policy toPolicy() throws FileRefused {
    check();
    return new Policy(
        version,
        mode,
        minVersion,
        clientCertificate,
        new PeerRules(trustDomain, clientCertificate, peers),
        new PathPolicy(records, io, kernelRecordsPercent, expectKeyUpdates),
        new Negotiation(cipherSuites, groups, alpn, resumption),
        proxyProtocol,
        limits);
  }

  private void check() throws FileRefused {
    if (version.isEmpty()) {
      throw json.refuse("version is missing");
    }
    if (trustDomain.isEmpty()) {
      throw json.refuse("trustDomain is missing");
    }
    if (minVersion == TlsVersion.TLS1_3
        && !cipherSuites.isEmpty()
        && cipherSuites.stream().noneMatch(CipherSuite::isTls13)) {
      throw json.refuse("cipherSuites has none for minVersion TLS1.3: one must start with TLS_");
    }
    if (peers.isPresent() && clientCertificate == ClientCertificate.NONE) {
      json.warn("peers are listed but clientCertificate is None: nobody can be recognised");
    }
  }

  private String trustDomain(String field) throws FileRefused, IOException {
    String text = json.string(field);
    if (!SpiffeId.isTrustDomain(text)) {
      throw json.refuse(
          "%s is \"%s\": a name in lower case is wanted, as cluster.local".formatted(field, text));
    }
    return text;
  }

  private List<String> alpn(String field) throws FileRefused, IOException {
    json.expect(JsonToken.START_ARRAY, field, "an array");
    List<String> names = new ArrayList<>();
    while (json.next() != JsonToken.END_ARRAY) {
      String at = "%s[%d]".formatted(field, names.size());
      String name = json.string(at);
      if (!PROTOCOL.matcher(name).matches() || names.contains(name)) {
        throw json.refuse(
            "%s must be 1 to 255 visible ASCII characters, and no other's name".formatted(at));
      }
      names.add(name);
    }
    if (names.size() > MOST_PROTOCOLS) {
      throw json.refuse("%s has more than %d names".formatted(field, MOST_PROTOCOLS));
    }
    return names;
  }
}
