package dev.postern.operator.workload;

import dev.postern.crds.CipherSuite;
import dev.postern.crds.ResolvedPolicy;
import dev.postern.crds.TlsPolicySpec;
import dev.postern.crds.TlsPolicySpec.ClientCertificate;
import dev.postern.crds.TlsPolicySpec.Io;
import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import dev.postern.crds.TlsPolicySpec.ProxyProtocol;
import dev.postern.crds.TlsPolicySpec.Records;
import dev.postern.crds.TlsPolicySpec.Resumption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes a policy file's content, never looser than the administrator allows.
 *
 * @param mode the loosest that is allowed
 * @param minVersion the oldest that is allowed
 */
record PolicyFloor(String trustDomain, Mode mode, MinVersion minVersion) {

  /** A spec as it is enforced; one with a {@link #problem} lets nobody in. */
  ResolvedPolicy apply(TlsPolicySpec spec) {
    return problem(spec).isPresent() ? closed() : enforced(spec);
  }

  /** No policy at all: everyone of the own trust domain, by certificate. */
  ResolvedPolicy unspoken() {
    return enforced(new TlsPolicySpec(null, null, null, null, null));
  }

  /** The policy that a pod names is gone: nobody. */
  ResolvedPolicy closed() {
    return enforced(new TlsPolicySpec(null, null, null, null, List.of()));
  }

  /** Why a spec cannot be enforced, naming the field, or empty. */
  Optional<String> problem(TlsPolicySpec spec) {
    if (newer(spec.minVersion()) == MinVersion.TLS1_3 && leavesTls13None(spec.cipherSuites())) {
      return Optional.of(
          "cipherSuites: none is for TLS 1.3, and no older version is allowed; name one that starts"
              + " with TLS_");
    }
    try {
      PolicyLimits.of(spec.limits());
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** True when the spec asks for less than is enforced. */
  boolean raises(TlsPolicySpec spec) {
    ResolvedPolicy enforced = apply(spec);
    return (spec.mode() != null && spec.mode() != enforced.mode())
        || (spec.minVersion() != null && spec.minVersion() != enforced.minVersion());
  }

  private ResolvedPolicy enforced(TlsPolicySpec spec) {
    return new ResolvedPolicy(
            "",
            stricter(Objects.requireNonNullElse(spec.mode(), Mode.Strict)),
            newer(spec.minVersion()),
            Objects.requireNonNullElse(spec.clientCertificate(), ClientCertificate.Required),
            trustDomain,
            spec.peers(),
            path(spec),
            negotiation(spec),
            Objects.requireNonNullElse(spec.proxyProtocol(), ProxyProtocol.Off),
            PolicyLimits.of(spec.limits()))
        .named();
  }

  private static ResolvedPolicy.Path path(TlsPolicySpec spec) {
    return new ResolvedPolicy.Path(
        Objects.requireNonNullElse(spec.records(), Records.AUTO),
        Objects.requireNonNullElse(spec.io(), Io.AUTO),
        Objects.requireNonNullElse(spec.kernelRecordsPercent(), 100),
        Objects.requireNonNullElse(spec.expectKeyUpdates(), false));
  }

  private static ResolvedPolicy.Negotiation negotiation(TlsPolicySpec spec) {
    return new ResolvedPolicy.Negotiation(
        spec.cipherSuites(),
        spec.groups(),
        Objects.requireNonNullElse(spec.alpn(), List.of()),
        Objects.requireNonNullElse(spec.resumption(), Resumption.On));
  }

  private static boolean leavesTls13None(List<CipherSuite> suites) {
    return suites != null && suites.stream().noneMatch(CipherSuite::isTls13);
  }

  private Mode stricter(Mode asked) {
    return looseness(asked) > looseness(mode) ? mode : asked;
  }

  private MinVersion newer(MinVersion asked) {
    return asked == null || asked.compareTo(minVersion) < 0 ? minVersion : asked;
  }

  private static int looseness(Mode mode) {
    return switch (mode) {
      case Strict -> 0;
      case Permissive -> 1;
      case Disabled -> 2;
    };
  }
}
