package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * Where a namespaced issuer's signatures come from.
 *
 * @param selfSigned each certificate signs itself
 * @param ca signed by the CA in a Secret of the same namespace
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.selfSigned) != has(self.ca)",
    message = "set exactly one of selfSigned and ca")
public record IssuerSpec(SelfSignedIssuer selfSigned, CaIssuer ca) {}
