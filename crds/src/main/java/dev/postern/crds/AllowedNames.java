package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/**
 * Names that Certificates of some namespaces may carry though they are not their own.
 *
 * @param namespaces who may ask
 * @param dnsNames DNS names, exactly as asked for
 * @param uris URIs, exactly as asked for
 * @param ipAddresses IP addresses, exactly as asked for
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
