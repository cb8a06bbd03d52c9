package dev.postern.operator.inject;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster in memory: the few objects that a decision may ask for. */
class Cluster implements ClusterFacts {

  final Map<String, String> namespaceLabels = new HashMap<>(Map.of("postern.dev/inject", "true"));
  final Set<String> policies = new HashSet<>();
  final Map<String, NamedCertificate> certificates = new HashMap<>();
  final Map<Owner, Owner> controllers = new HashMap<>();

  @Override
  public Map<String, String> namespaceLabels(String namespace) {
    return namespaceLabels;
  }

  @Override
  public boolean hasPolicy(String namespace, String name) {
    return policies.contains(name);
  }

  @Override
  public Optional<NamedCertificate> certificate(String namespace, String name) {
    return Optional.ofNullable(certificates.get(name));
  }

  @Override
  public Optional<Owner> controllerOf(String namespace, Owner object) {
    return Optional.ofNullable(controllers.get(object));
  }
}
