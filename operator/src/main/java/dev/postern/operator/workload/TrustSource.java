package dev.postern.operator.workload;

import dev.postern.crds.ClusterIssuer;
import dev.postern.crds.TrustedRoot;
import dev.postern.operator.issuer.IssuerState;
import dev.postern.operator.issuer.Issuers;
import dev.postern.operator.pki.PemCertificates;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roots of all ClusterIssuers with a CA. One that cannot be read keeps the root that it had
 * last. Used by one thread.
 */
final class TrustSource {

  private static final Logger LOG = LoggerFactory.getLogger(TrustSource.class);

  private final KubernetesClient client;
  private final Issuers issuers;
  private final String trustDomain;
  private final Map<String, TrustedRoot> lastGood = new HashMap<>();

  TrustSource(KubernetesClient client, Issuers issuers, String trustDomain) {
    this.client = client;
    this.issuers = issuers;
    this.trustDomain = trustDomain;
  }

  TrustBundle read() {
    List<ClusterIssuer> all =
        client.resources(ClusterIssuer.class).list().getItems().stream()
            .filter(it -> it.getSpec().ca() != null)
            .sorted(Comparator.comparing(it -> it.getMetadata().getName()))
            .toList();
    lastGood.keySet().retainAll(all.stream().map(it -> it.getMetadata().getUid()).toList());
    boolean complete = true;
    List<TrustedRoot> roots = new ArrayList<>();
    for (ClusterIssuer issuer : all) {
      TrustedRoot root = root(issuer);
      if (root == null) {
        complete = false;
      } else if (!roots.contains(root)) {
        roots.add(root);
      }
    }
    return new TrustBundle(roots, complete);
  }

  /** The issuer's root, its last good one, or null. */
  private TrustedRoot root(ClusterIssuer issuer) {
    IssuerState state = issuers.state(issuer);
    if (state instanceof IssuerState.Ready ready && ready.authority().isPresent()) {
      byte[] pem = PemCertificates.write(List.of(ready.authority().get().anchor()));
      TrustedRoot root =
          new TrustedRoot(trustDomain, new String(pem, StandardCharsets.US_ASCII), "");
      lastGood.put(issuer.getMetadata().getUid(), root);
      return root;
    }
    LOG.warn("ClusterIssuer {}: {}", issuer.getMetadata().getName(), state.message());
    return lastGood.get(issuer.getMetadata().getUid());
  }
}
