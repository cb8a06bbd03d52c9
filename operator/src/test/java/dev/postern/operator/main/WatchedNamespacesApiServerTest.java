package dev.postern.operator.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.Issuer;
import dev.postern.crds.IssuerRef;
import dev.postern.crds.IssuerSpec;
import dev.postern.crds.SelfSignedIssuer;
import dev.postern.crds.TlsPolicySpec;
import dev.postern.operator.apiserver.ApiServerExtension;
import dev.postern.operator.serving.ReleaseNames;
import dev.postern.operator.workload.WorkloadSettings;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class WatchedNamespacesApiServerTest {

  @Test
  void shouldLookOnlyAtTheNamespacesThatItWasGiven(KubernetesClient client) {
    List.of("watched-1", "watched-2", "unwatched").forEach(it -> createNamespace(client, it));
    // Left alone first: had it been looked at, it would be done before the others.
    List.of("unwatched", "watched-1", "watched-2").forEach(it -> createCertificate(client, it));
    try (Reconcilers reconcilers =
        Reconcilers.start(
            client,
            settings(List.of("watched-1", "watched-2")),
            new SimpleMeterRegistry(),
            () -> true,
            InstantSource.system())) {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> hasSecret(client, "watched-1") && hasSecret(client, "watched-2"));
      // Its Secret goes through the event source of each namespace.
      client.secrets().inNamespace("watched-2").withName("own").delete();
      await().atMost(Duration.ofSeconds(20)).until(() -> hasSecret(client, "watched-2"));
      assertThat(hasSecret(client, "unwatched")).isFalse();
      await().atMost(Duration.ofSeconds(20)).until(() -> reconcilers.unreadiness().isEmpty());
    }
  }

  private static boolean hasSecret(KubernetesClient client, String namespace) {
    return client.secrets().inNamespace(namespace).withName("own").get() != null;
  }

  private static void createNamespace(KubernetesClient client, String name) {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  private static void createCertificate(KubernetesClient client, String namespace) {
    Issuer issuer = new Issuer();
    issuer.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName("own").build());
    issuer.setSpec(new IssuerSpec(new SelfSignedIssuer(), null));
    client.resource(issuer).create();
    Certificate certificate = new Certificate();
    certificate.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName("own").build());
    certificate.setSpec(
        new CertificateSpec(
            "own",
            new IssuerRef("own", IssuerRef.Kind.Issuer),
            null,
            List.of("any.example.org"),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null));
    client.resource(certificate).create();
  }

  private static OperatorSettings settings(List<String> namespaces) {
    return new OperatorSettings(
        new ReleaseNames("default", "watching", "cluster.local"),
        namespaces,
        new WorkloadSettings(
            "cluster.local",
            "cluster.local",
            "watching",
            "24h",
            TlsPolicySpec.Mode.Disabled,
            TlsPolicySpec.MinVersion.TLS1_2,
            Duration.ofMinutes(10)));
  }
}
