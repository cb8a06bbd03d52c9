package dev.postern.crds;

import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * A CA whose certificate and key lie in a Secret.
 *
 * @param secretName a kubernetes.io/tls Secret: tls.crt (the CA, then its chain) and tls.key
 */
public record CaIssuer(@Required @Size(min = 1, max = 253) String secretName) {}
