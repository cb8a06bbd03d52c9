package dev.postern.operator.inject;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a decision may ask of the cluster. Every method throws {@link LookupFailedException} when
 * the API server gives no answer in time; the pod is then refused, never let through.
 */
public interface ClusterFacts extends OwnerLookup {

  Map<String, String> namespaceLabels(String namespace);

  /** Is there a TLSPolicy of this name? */
  boolean hasPolicy(String namespace, String name);

  Optional<NamedCertificate> certificate(String namespace, String name);

  /**
   * What counts of a Certificate that a pod names.
   *
   * @param secretName where its key pair lies
   * @param uris that it asks for
   */
  record NamedCertificate(String secretName, List<String> uris) {}
}
