package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/**
 * Where a cluster issuer's signatures come from, and who may ask for which foreign names.
 *
 * @param selfSigned each certificate signs itself
 * @param ca signed by the CA in a Secret of the release's namespace
 * @param allow names beyond a namespace's own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.selfSigned) != has(self.ca)",
    message = "set exactly one of selfSigned and ca")
public record ClusterIssuerSpec(
    SelfSignedIssuer selfSigned, CaIssuer ca, List<AllowedNames> allow) {

  public ClusterIssuerSpec {
    allow = allow == null ? List.of() : List.copyOf(allow);
  }
}
