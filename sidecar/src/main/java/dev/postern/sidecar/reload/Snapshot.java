package dev.postern.sidecar.reload;

import dev.postern.sidecar.config.Policy;
import dev.postern.sidecar.identity.Identity;
import dev.postern.sidecar.identity.Trust;
import dev.postern.sidecar.tls.TlsContext;

/**
 * All that files say, at one moment; immutable, shared by all workers.
 *
 * @param identity who the pod is
 * @param trust whom it believes
 * @param policy what it demands
 */
public record Snapshot(Identity identity, Trust trust, Policy policy) {

  /** A new SSL_CTX for the calling worker, who closes it when the next snapshot comes. */
  public TlsContext newContext() {
    return new TlsContext(identity.server(), trust.anchors(), policy.tls());
  }
}
