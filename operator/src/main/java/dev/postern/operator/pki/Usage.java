package dev.postern.operator.pki;

import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a leaf may be used for; the names are cert-manager's. A CA's usages are not among them. */
public enum Usage {
  DIGITAL_SIGNATURE("digital signature"),
  KEY_ENCIPHERMENT("key encipherment"),
  SERVER_AUTH("server auth"),
  CLIENT_AUTH("client auth");

  private static final Set<Usage> EXTENDED =
      Collections.unmodifiableSet(EnumSet.of(SERVER_AUTH, CLIENT_AUTH));

  private final String field;

  Usage(String field) {
    this.field = field;
  }

  /**
   * The usages of a spec. Digital signature is always among them; without server or client auth
   * both are (SPIFFE X509-SVID 4.4: if present, both).
   *
   * @param fields names as in a Certificate's spec; null or empty: the default
   * @throws PkiException naming the unknown one and those that are known
   */
  public static Set<Usage> parse(Collection<String> fields) {
    Set<Usage> usages = EnumSet.of(DIGITAL_SIGNATURE);
    for (String field : fields == null ? List.<String>of() : fields) {
      usages.add(of(field));
    }
    if (Collections.disjoint(usages, EXTENDED)) {
      usages.addAll(EXTENDED);
    }
    return Collections.unmodifiableSet(usages);
  }

  /** Those that make sense for a key: only RSA can encipher keys (RFC 8813, RFC 8410 5). */
  static Set<Usage> fitting(Set<Usage> usages, PublicKey key) {
    Set<Usage> fitting = EnumSet.copyOf(usages);
    if (!(key instanceof RSAPublicKey)) {
      fitting.remove(KEY_ENCIPHERMENT);
    }
    return fitting;
  }

  private static Usage of(String field) {
    return Arrays.stream(values())
        .filter(usage -> usage.field.equals(field))
        .findFirst()
        .orElseThrow(
            () -> new PkiException("usages: \"" + field + "\" is not possible; use " + known()));
  }

  private static String known() {
    return Arrays.stream(values()).map(usage -> usage.field).collect(Collectors.joining(", "));
  }
}
