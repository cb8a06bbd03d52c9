package dev.postern.operator.issuer;

import dev.postern.crds.AllowedNames;
import dev.postern.crds.CaIssuer;
import dev.postern.crds.ClusterIssuer;
import dev.postern.crds.Issuer;
import dev.postern.crds.IssuerRef;
import dev.postern.operator.pki.AllowEntry;
import dev.postern.operator.pki.IssuerScope;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks issuers up in the API server, with the CA in their Secret: each time anew, so that no
 * private key of a CA stays in memory.
 */
public final class Issuers {

  private final KubernetesClient client;
  private final String releaseNamespace;
  private final InstantSource clock;

  /**
   * @param releaseNamespace where the Secrets of ClusterIssuers lie
   */
  public Issuers(KubernetesClient client, String releaseNamespace, InstantSource clock) {
    this.client = client;
    this.releaseNamespace = releaseNamespace;
    this.clock = clock;
  }

  /**
   * The issuer of a Certificate.
   *
   * @param namespace the Certificate's
   */
  public IssuerState find(String namespace, IssuerRef reference) {
    return switch (reference.kind()) {
      case Issuer -> findIssuer(namespace, reference.name());
      case ClusterIssuer -> findClusterIssuer(reference.name());
    };
  }

  private IssuerState findIssuer(String namespace, String name) {
    Issuer issuer = client.resources(Issuer.class).inNamespace(namespace).withName(name).get();
    return issuer == null
        ? new IssuerState.Missing("there is no Issuer " + name + " in namespace " + namespace)
        : state(issuer);
  }

  private IssuerState findClusterIssuer(String name) {
    ClusterIssuer issuer = client.resources(ClusterIssuer.class).withName(name).get();
    return issuer == null
        ? new IssuerState.Missing("there is no ClusterIssuer " + name)
        : state(issuer);
  }

  /** What a namespaced issuer can do. */
  public IssuerState state(Issuer issuer) {
    CaIssuer ca = issuer.getSpec().ca();
    return ca == null
        ? IssuerState.selfSigned(IssuerScope.NAMESPACE, List.of())
        : authority(
            IssuerScope.NAMESPACE, List.of(), issuer.getMetadata().getNamespace(), ca.secretName());
  }

  /** What a cluster issuer can do. */
  public IssuerState state(ClusterIssuer issuer) {
    CaIssuer ca = issuer.getSpec().ca();
    List<AllowEntry> allow = issuer.getSpec().allow().stream().map(Issuers::entry).toList();
    return ca == null
        ? IssuerState.selfSigned(IssuerScope.CLUSTER, allow)
        : authority(IssuerScope.CLUSTER, allow, releaseNamespace, ca.secretName());
  }

  private IssuerState authority(
      IssuerScope scope, List<AllowEntry> allow, String namespace, String secretName) {
    Secret secret = client.secrets().inNamespace(namespace).withName(secretName).get();
    String source = "Secret " + namespace + "/" + secretName;
    return IssuerState.authority(scope, allow, source, decoded(secret), clock.instant());
  }

  private static AllowEntry entry(AllowedNames allowed) {
    return new AllowEntry(
        allowed.namespaces(), allowed.dnsNames(), allowed.uris(), allowed.ipAddresses());
  }

  private static Map<String, byte[]> decoded(Secret secret) {
    if (secret == null) {
      return null;
    }
    Map<String, byte[]> data = new HashMap<>();
    if (secret.getData() != null) {
      secret.getData().forEach((key, value) -> data.put(key, Base64.getDecoder().decode(value)));
    }
    return data;
  }
}
