package dev.postern.operator.workload;

import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import java.time.Duration;

/**
 * What the administrator chose for all workloads.
 *
 * @param defaultIssuer ClusterIssuer of their identities
 * @param identityDuration life of an identity, as a Certificate's duration
 * @param modeFloor the loosest mode that is allowed
 * @param minVersionFloor the oldest TLS version that is allowed
 * @param patience how long a workload without pods keeps its objects
 */
public record WorkloadSettings(
    String trustDomain,
    String clusterDomain,
    String defaultIssuer,
    String identityDuration,
    Mode modeFloor,
    MinVersion minVersionFloor,
    Duration patience) {

  PolicyFloor floor() {
    return new PolicyFloor(trustDomain, modeFloor, minVersionFloor);
  }
}
