package dev.postern.operator.workload;

import dev.postern.crds.TlsPolicy;

/**
 * How a policy fared.
 *
 * @param conflicted a pod that it selects is under an older policy
 * @param conflict which, and for whom
 */
record PolicyReport(
    TlsPolicy policy,
    boolean ready,
    String reason,
    String message,
    boolean conflicted,
    String conflict) {}
