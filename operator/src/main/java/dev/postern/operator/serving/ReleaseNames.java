package dev.postern.operator.serving;

import java.util.List;

/**
 * The names of a release's objects.
 *
 * @param namespace the release's
 * @param release its name, the prefix of all others
 * @param clusterDomain of the webhook Service's long name
 */
public record ReleaseNames(String namespace, String release, String clusterDomain) {

  /** Secret of the first CA. */
  public String firstAuthoritySecret() {
    return release + "-ca";
  }

  /** ClusterIssuer of the first CA. */
  public String firstIssuer() {
    return release;
  }

  /** Secret of the webhook's CA; only the operator reads it. */
  public String webhookAuthoritySecret() {
    return release + "-webhook-ca";
  }

  /** Secret of the webhook's leaf; the kubelet mounts it. */
  public String webhookServingSecret() {
    return release + "-webhook-tls";
  }

  /** Both the Mutating- and the ValidatingWebhookConfiguration. */
  public String webhookConfiguration() {
    return release;
  }

  /** The names by which the API server calls the webhook's Service. */
  public List<String> webhookDnsNames() {
    String service = release + "-webhook." + namespace;
    return List.of(service, service + ".svc", service + ".svc." + clusterDomain);
  }
}
