package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/**
 * What a certificate shall be; names and meaning as in cert-manager.
 *
 * @param secretName the kubernetes.io/tls Secret that holds the result
 * @param duration life, as "2160h" or "90m"; default 2160h
 * @param renewBefore how long before the end to renew; default a third of the life
 * @param renewBeforePercentage the same as a share of the life
 * @param usages key usages; default digital signature, server auth, client auth
 * @param isCA never granted; here so that a request says so and is Denied
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "(has(self.dnsNames) && size(self.dnsNames) > 0) || (has(self.uris) && size(self.uris) > 0)"
            + " || (has(self.ipAddresses) && size(self.ipAddresses) > 0)",
    message = "name at least one of dnsNames, uris and ipAddresses")
@ValidationRule(
    value = "!(has(self.renewBefore) && has(self.renewBeforePercentage))",
    message = "set at most one of renewBefore and renewBeforePercentage")
public record CertificateSpec(
    @Required @Size(min = 1, max = 253) String secretName,
    @Required IssuerRef issuerRef,
    @Size(max = 64) String commonName,
    @Size(max = 100) List<String> dnsNames,
    @Size(max = 100) List<String> ipAddresses,
    @Size(max = 100) List<String> uris,
    @Pattern(DurationText.PATTERN) String duration,
    @Pattern(DurationText.PATTERN) String renewBefore,
    @Min(1) @Max(99) Integer renewBeforePercentage,
    PrivateKeySpec privateKey,
    List<String> usages,
    @JsonProperty("isCA") Boolean isCA,
    SecretTemplate secretTemplate) {

  public CertificateSpec {
    dnsNames = dnsNames == null ? List.of() : List.copyOf(dnsNames);
    ipAddresses = ipAddresses == null ? List.of() : List.copyOf(ipAddresses);
    uris = uris == null ? List.of() : List.copyOf(uris);
    usages = usages == null ? List.of() : List.copyOf(usages);
  }
}
