package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** The issuer of a Certificate: an Issuer of its namespace, or a ClusterIssuer. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IssuerRef(
    @Required @Size(min = 1, max = 253) String name, @Default("Issuer") Kind kind) {

  /** Kinds that can issue. */
  public enum Kind {
    Issuer,
    ClusterIssuer
  }

  public IssuerRef {
    kind = kind == null ? Kind.Issuer : kind;
  }
}
