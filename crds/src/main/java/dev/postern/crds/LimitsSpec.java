package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/**
 * What one pod grants its connections; times as "10s" or "1h30m".
 *
 * @param handshakeTimeout from accept to the end of the handshake; default 10s
 * @param idleTimeout without a byte either way; default 1h
 * @param maxAge of a connection; absent: any
 * @param maxConnections at a time in one pod; absent: what its sidecar has room for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.handshakeTimeout) || (duration(self.handshakeTimeout) >= duration('1s')"
            + " && duration(self.handshakeTimeout) <= duration('5m'))",
    message = "handshakeTimeout is between 1s and 5m")
@ValidationRule(
    value =
        "!has(self.idleTimeout) || (duration(self.idleTimeout) >= duration('1s')"
            + " && duration(self.idleTimeout) <= duration('24h'))",
    message = "idleTimeout is between 1s and 24h")
@ValidationRule(
    value =
        "!has(self.maxAge) || (duration(self.maxAge) >= duration('1s')"
            + " && duration(self.maxAge) <= duration('720h'))",
    message = "maxAge is between 1s and 720h")
public record LimitsSpec(
    @Size(min = 2, max = 16) @Pattern(DurationText.PATTERN) String handshakeTimeout,
    @Size(min = 2, max = 16) @Pattern(DurationText.PATTERN) String idleTimeout,
    @Size(min = 2, max = 16) @Pattern(DurationText.PATTERN) String maxAge,
    @Min(1) @Max(1_000_000) Integer maxConnections) {}
