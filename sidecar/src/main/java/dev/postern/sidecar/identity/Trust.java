package dev.postern.sidecar.identity;

import dev.postern.sidecar.tls.TrustAnchor;
import java.util.List;

/**
 * The roots that peers may chain to; never empty.
 *
 * @param anchors each with its scope
 */
public record Trust(List<TrustAnchor> anchors) {

  public Trust {
    anchors = List.copyOf(anchors);
    assert !anchors.isEmpty();
  }
}
