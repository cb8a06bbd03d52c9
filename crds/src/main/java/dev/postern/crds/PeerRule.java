package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * One allowed peer, by SPIFFE id or by DNS name.
 *
 * @param spiffe {@code spiffe://TRUST-DOMAIN/PATH}; {@code *} is one whole path segment, never the
 *     trust domain
 * @param dns a DNS name; {@code *} is one whole label, never the last
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.spiffe) != has(self.dns)",
    message = "set exactly one of spiffe and dns")
public record PeerRule(
    @Pattern("^spiffe://[a-z0-9._-]+(/([A-Za-z0-9_-][A-Za-z0-9._-]*|\\*))+$") String spiffe,
    @Pattern(
            "^(([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?|\\*)\\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$")
        String dns) {}
