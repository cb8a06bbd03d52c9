package dev.postern.operator.webhook;

import dev.postern.crds.Certificate;
import dev.postern.crds.TlsPolicy;
import dev.postern.operator.inject.ClusterFacts;
import dev.postern.operator.inject.LookupFailedException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks the API server, one GET a question and no cache: an answer that is a second old could admit
 * a pod under a policy that is gone. The client's timeouts must leave room within the webhook's 5
 * s.
 */
final class ApiServerFacts implements ClusterFacts {

  private final KubernetesClient client;

  ApiServerFacts(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Map<String, String> namespaceLabels(String namespace) {
    return ask("namespace " + namespace, () -> client.namespaces().withName(namespace).get())
        .map(found -> found.getMetadata().getLabels())
        .orElseGet(Map::of);
  }

  @Override
  public boolean hasPolicy(String namespace, String name) {
    return ask(
            "TLSPolicy " + name,
            () -> client.resources(TlsPolicy.class).inNamespace(namespace).withName(name).get())
        .isPresent();
  }

  @Override
  public Optional<NamedCertificate> certificate(String namespace, String name) {
    return ask(
            "Certificate " + name,
            () -> client.resources(Certificate.class).inNamespace(namespace).withName(name).get())
        .map(Certificate::getSpec)
        .map(spec -> new NamedCertificate(spec.secretName(), spec.uris()));
  }

  @Override
  public Optional<Owner> controllerOf(String namespace, Owner object) {
    String what = object.kind() + " " + object.name();
    HasMetadata found =
        ask(what, () -> get(namespace, object))
            .filter(it -> object.uid().equals(it.getMetadata().getUid()))
            .orElseThrow(
                () ->
                    new LookupFailedException(
                        what + " in " + namespace + ", the pod's owner, is not there", null));
    return found.getMetadata().getOwnerReferences().stream()
        .filter(reference -> Boolean.TRUE.equals(reference.getController()))
        .findFirst()
        .map(ApiServerFacts::owner);
  }

  private HasMetadata get(String namespace, Owner object) {
    return switch (object.kind()) {
      case "ReplicaSet" ->
          client.apps().replicaSets().inNamespace(namespace).withName(object.name()).get();
      case "Job" -> client.batch().v1().jobs().inNamespace(namespace).withName(object.name()).get();
      default -> throw new AssertionError("only ReplicaSet and Job are followed: " + object);
    };
  }

  private static Owner owner(OwnerReference reference) {
    return new Owner(reference.getKind(), reference.getName(), reference.getUid());
  }

  /** Empty when the API server says that there is no such object. */
  private static <T> Optional<T> ask(String what, Supplier<T> question) {
    try {
      return Optional.ofNullable(question.get());
    } catch (KubernetesClientException e) {
      String why = e.getCode() == 0 ? "no answer in time" : "HTTP status " + e.getCode();
      throw new LookupFailedException(
          "the API server could not be asked for " + what + " (" + why + ")", e);
    }
  }
}
