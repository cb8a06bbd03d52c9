package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/**
 * Names that Certificates of some namespaces may carry though they are not their own.
 *
 * @param namespaces who may ask; {@code *} for all
 * @param dnsNames DNS names; {@code *} is one whole label
 * @param uris SPIFFE URIs; {@code *} is one whole path segment
 * @param ipAddresses IP addresses or CIDR blocks
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AllowedNames(
    @Required @Size(min = 1) List<String> namespaces,
    List<String> dnsNames,
    List<String> uris,
    List<String> ipAddresses) {

  public AllowedNames {
    namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
    dnsNames = dnsNames == null ? List.of() : List.copyOf(dnsNames);
    uris = uris == null ? List.of() : List.copyOf(uris);
    ipAddresses = ipAddresses == null ? List.of() : List.copyOf(ipAddresses);
  }
}
