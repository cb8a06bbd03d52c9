package dev.postern.operator.certificate;

import dev.postern.crds.Api;
import dev.postern.crds.Certificate;
import dev.postern.crds.ClusterIssuer;
import dev.postern.crds.Issuer;
import dev.postern.crds.IssuerRef;
import dev.postern.operator.cache.StrippedStore;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What else a Certificate depends on: its Secret, its issuer. */
record CertificateEventSources(EventSourceContext<Certificate> context) {

  List<EventSource<?, Certificate>> all(boolean everywhere) {
    return List.of(secrets(everywhere), issuers(), clusterIssuers());
  }

  /** Only those with our label, and of them no data: this cache is for events. */
  private InformerEventSource<Secret, Certificate> secrets(boolean everywhere) {
    var configuration =
        InformerEventSourceConfiguration.from(Secret.class, Certificate.class)
            .withName("secrets")
            .withLabelSelector(Api.MANAGED_BY_LABEL + "=" + Api.MANAGED_BY)
            .withNamespacesInheritedFromController()
            .withSecondaryToPrimaryMapper(CertificateEventSources::owner);
    if (everywhere) {
      configuration.withItemStore(
          new StrippedStore<>(secret -> new SecretBuilder(secret).withData(null).build()));
    }
    return new InformerEventSource<>(configuration.build(), context);
  }

  private InformerEventSource<Issuer, Certificate> issuers() {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(Issuer.class, Certificate.class)
            .withName("issuers")
            .withNamespacesInheritedFromController()
            .withSecondaryToPrimaryMapper(issuer -> users(issuer, IssuerRef.Kind.Issuer))
            .build(),
        context);
  }

  private InformerEventSource<ClusterIssuer, Certificate> clusterIssuers() {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(ClusterIssuer.class, Certificate.class)
            .withName("clusterissuers")
            .withWatchAllNamespaces()
            .withSecondaryToPrimaryMapper(issuer -> users(issuer, IssuerRef.Kind.ClusterIssuer))
            .build(),
        context);
  }

  private static Set<ResourceID> owner(Secret secret) {
    Map<String, String> annotations = secret.getMetadata().getAnnotations();
    String name = annotations == null ? null : annotations.get(Api.CERTIFICATE);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, secret.getMetadata().getNamespace()));
  }

  private Set<ResourceID> users(HasMetadata issuer, IssuerRef.Kind kind) {
    String namespace = issuer.getMetadata().getNamespace();
    Predicate<Certificate> uses =
        it ->
            it.getSpec().issuerRef().kind() == kind
                && it.getSpec().issuerRef().name().equals(issuer.getMetadata().getName())
                && (namespace == null
                    || Objects.equals(namespace, it.getMetadata().getNamespace()));
    return context
        .getPrimaryCache()
        .list(uses)
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }
}
