package dev.postern.operator.workload;

import dev.postern.crds.Api;
import dev.postern.crds.TrustedRoot;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The roots that injected pods trust.
 *
 * @param complete every ClusterIssuer with a CA could be read, now or before; if not, a bundle that
 *     is there stays: dropping a root would cut pods off
 */
record TrustBundle(List<TrustedRoot> roots, boolean complete) {

  TrustBundle {
    roots = List.copyOf(roots);
  }

  /** Content of the ConfigMap. */
  Map<String, String> data() {
    return Map.of(
        Api.BUNDLE_KEY,
        TrustedRoot.toJson(roots),
        Api.BUNDLE_PEM_KEY,
        roots.stream().map(TrustedRoot::pem).collect(Collectors.joining()));
  }
}
