package dev.postern.operator.workload;

import dev.postern.crds.ResolvedPolicy;
import dev.postern.crds.TlsPolicySpec;
import dev.postern.crds.TlsPolicySpec.ClientCertificate;
import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import java.util.List;
import java.util.Objects;

/**
 * Makes a policy file's content, never looser than the administrator allows.
 *
 * @param mode the loosest that is allowed
 * @param minVersion the oldest that is allowed
 */
record PolicyFloor(String trustDomain, Mode mode, MinVersion minVersion) {

  /** A spec as it is enforced. */
  ResolvedPolicy apply(TlsPolicySpec spec) {
    return ResolvedPolicy.of(
        stricter(Objects.requireNonNullElse(spec.mode(), Mode.Strict)),
        newer(Objects.requireNonNullElse(spec.minVersion(), MinVersion.TLS1_2)),
        Objects.requireNonNullElse(spec.clientCertificate(), ClientCertificate.Required),
        trustDomain,
        spec.peers());
  }

  /** No policy at all: everyone of the own trust domain, by certificate. */
  ResolvedPolicy unspoken() {
    return apply(new TlsPolicySpec(null, null, null, null, null));
  }

  /** The policy that a pod names is gone: nobody. */
  ResolvedPolicy closed() {
    return apply(new TlsPolicySpec(null, null, null, null, List.of()));
  }

  /** True when the spec asks for less than is enforced. */
  boolean raises(TlsPolicySpec spec) {
    ResolvedPolicy enforced = apply(spec);
    return (spec.mode() != null && spec.mode() != enforced.mode())
        || (spec.minVersion() != null && spec.minVersion() != enforced.minVersion());
  }

  private Mode stricter(Mode asked) {
    return looseness(asked) > looseness(mode) ? mode : asked;
  }

  private MinVersion newer(MinVersion asked) {
    return asked.compareTo(minVersion) < 0 ? minVersion : asked;
  }

  private static int looseness(Mode mode) {
    return switch (mode) {
      case Strict -> 0;
      case Permissive -> 1;
      case Disabled -> 2;
    };
  }
}
