package dev.postern.operator.workload;

import dev.postern.crds.CertificateSpec;
import dev.postern.crds.ResolvedPolicy;
import java.util.Optional;

/**
 * What one workload shall have.
 *
 * @param identity its Certificate; empty: its pods name one themselves
 * @param policy content of its policy file
 * @param policyOnlyIfAbsent a policy file that is there stays: the policy it came from is gone
 */
record WorkloadPlan(
    String workload,
    Optional<CertificateSpec> identity,
    ResolvedPolicy policy,
    boolean policyOnlyIfAbsent) {}
