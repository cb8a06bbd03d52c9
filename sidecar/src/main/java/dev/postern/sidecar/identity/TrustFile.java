package dev.postern.sidecar.identity;

import com.fasterxml.jackson.core.JsonToken;
import dev.postern.sidecar.files.BoundedFile;
import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.JsonText;
import dev.postern.sidecar.files.Loaded;
import dev.postern.sidecar.tls.TrustAnchor;
import dev.postern.sidecar.tls.TrustScope;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The file bundle.json: [{"trustDomain" or "dnsScope": NAME, "pem": ROOTS, "crl": ""}]. */
public final class TrustFile {

  /** A ConfigMap holds at most 1 MiB. */
  private static final int MAX_BYTES = 1024 * 1024;

  private static final Pattern SCOPE_NAME =
      Pattern.compile("[a-z0-9]([a-z0-9._-]{0,253}[a-z0-9])?");

  private final Path file;

  public TrustFile(Path file) {
    this.file = file;
  }

  /** What to watch. */
  public List<Path> paths() {
    return List.of(file);
  }

  /** Reads and validates it; one without a root that is valid now is refused. */
  public Loaded<Trust> load(Instant now) throws FileRefused {
    Loaded<Map<X509Certificate, TrustScope>> parsed =
        JsonText.parse(file, BoundedFile.read(file, MAX_BYTES), this::readEntries);
    Map<X509Certificate, TrustScope> roots = parsed.value();
    if (roots.isEmpty()) {
      throw new FileRefused(file, "holds no root: nobody could be verified");
    }
    if (roots.keySet().stream().allMatch(r -> now.isAfter(r.getNotAfter().toInstant()))) {
      throw new FileRefused(file, "every root in it has expired");
    }
    List<TrustAnchor> anchors = new ArrayList<>();
    roots.forEach((root, scope) -> anchors.add(new TrustAnchor(root, scope)));
    return new Loaded<>(new Trust(anchors), parsed.warnings());
  }

  private Map<X509Certificate, TrustScope> readEntries(JsonText json)
      throws FileRefused, IOException {
    json.expect(JsonToken.START_ARRAY, "the file", "a JSON array of roots");
    Map<X509Certificate, TrustScope> roots = new LinkedHashMap<>();
    for (int i = 0; json.next() != JsonToken.END_ARRAY; i++) {
      Entry entry = readEntry(json, "[%d]".formatted(i));
      for (X509Certificate root : entry.roots) {
        TrustScope before = roots.putIfAbsent(root, entry.scope);
        if (before != null && !before.equals(entry.scope)) {
          throw json.refuse(
              "%s is listed for %s and for %s: a root speaks for one scope"
                  .formatted(root.getSubjectX500Principal(), before.text(), entry.scope.text()));
        }
      }
    }
    return roots;
  }

  private record Entry(TrustScope scope, List<X509Certificate> roots) {}

  private Entry readEntry(JsonText json, String at) throws FileRefused, IOException {
    json.expect(JsonToken.START_OBJECT, at, "an object");
    String trustDomain = null;
    String dnsScope = null;
    List<X509Certificate> roots = List.of();
    while (json.next() != JsonToken.END_OBJECT) {
      String name = json.name();
      json.next();
      String field = at + "." + name;
      switch (name) {
        case "trustDomain" -> trustDomain = scopeName(json, field);
        case "dnsScope" -> dnsScope = scopeName(json, field);
        case "pem" -> roots = readRoots(json, field);
        case "crl" -> refuseRevocation(json, field);
        default -> json.skipUnknown(field);
      }
    }
    if ((trustDomain == null) == (dnsScope == null)) {
      throw json.refuse(at + " must have one of trustDomain and dnsScope");
    }
    if (roots.isEmpty()) {
      throw json.refuse(at + ".pem is missing");
    }
    return new Entry(
        trustDomain != null ? TrustScope.trustDomain(trustDomain) : TrustScope.dns(dnsScope),
        roots);
  }

  private static String scopeName(JsonText json, String field) throws FileRefused, IOException {
    String name = json.string(field);
    if (!SCOPE_NAME.matcher(name).matches()) {
      throw json.refuse(
          "%s is \"%s\": a name in lower case is wanted, as cluster.local".formatted(field, name));
    }
    return name;
  }

  private List<X509Certificate> readRoots(JsonText json, String field)
      throws FileRefused, IOException {
    List<X509Certificate> roots = PemCertificates.parse(file, field + ": ", json.string(field));
    for (X509Certificate root : roots) {
      if (root.getBasicConstraints() < 0) {
        throw json.refuse(
            "%s: %s is no CA certificate (CA:TRUE is missing)"
                .formatted(field, root.getSubjectX500Principal()));
      }
      if (!Signatures.issued(root, root)) {
        throw json.refuse(
            "%s: %s is not self-signed; roots only"
                .formatted(field, root.getSubjectX500Principal()));
      }
    }
    return roots;
  }

  /** To read past a revocation list would let in whom it names. */
  private static void refuseRevocation(JsonText json, String field)
      throws FileRefused, IOException {
    if (json.token() != JsonToken.VALUE_NULL && !json.string(field).isBlank()) {
      throw json.refuse(field + " is set, but this version does not know revocation lists");
    }
  }
}
