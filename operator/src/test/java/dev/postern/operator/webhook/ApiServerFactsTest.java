package dev.postern.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.IssuerRef;
import dev.postern.operator.inject.ClusterFacts.NamedCertificate;
import dev.postern.operator.inject.LookupFailedException;
import dev.postern.operator.inject.OwnerLookup.Owner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.List;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class ApiServerFactsTest {

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void shouldFollowAReplicaSetToItsDeployment() {
    HasMetadata created =
        client
            .resource(
                new ReplicaSetBuilder()
                    .withNewMetadata()
                    .withName("web-1")
                    .withNamespace("shop")
                    .addNewOwnerReference()
                    .withKind("Deployment")
                    .withName("web")
                    .withUid("d")
                    .withController(true)
                    .endOwnerReference()
                    .endMetadata()
                    .build())
            .create();
    Owner owner = new Owner("ReplicaSet", "web-1", created.getMetadata().getUid());
    assertThat(facts().controllerOf("shop", owner)).contains(new Owner("Deployment", "web", "d"));
  }

  @Test
  void shouldFindNoOwnerWhenAJobStandsAlone() {
    HasMetadata created =
        client
            .resource(
                new JobBuilder()
                    .withNewMetadata()
                    .withName("once")
                    .withNamespace("shop")
                    .endMetadata()
                    .build())
            .create();
    Owner owner = new Owner("Job", "once", created.getMetadata().getUid());
    assertThat(facts().controllerOf("shop", owner)).isEmpty();
  }

  @Test
  void shouldNotBelieveAnOwnerThatIsNotThere() {
    assertThatThrownBy(() -> facts().controllerOf("shop", new Owner("ReplicaSet", "gone", "u")))
        .isInstanceOf(LookupFailedException.class)
        .hasMessageContaining("ReplicaSet gone in shop");
  }

  @Test
  void shouldNotBelieveAnOwnerOfAnotherUid() {
    client
        .resource(
            new ReplicaSetBuilder()
                .withNewMetadata()
                .withName("web-1")
                .withNamespace("shop")
                .endMetadata()
                .build())
        .create();
    assertThatThrownBy(() -> facts().controllerOf("shop", new Owner("ReplicaSet", "web-1", "x")))
        .isInstanceOf(LookupFailedException.class);
  }

  @Test
  void shouldReadSecretNameAndUrisOfACertificate() {
    Certificate certificate = new Certificate();
    certificate.getMetadata().setName("tls");
    certificate.getMetadata().setNamespace("shop");
    certificate.setSpec(
        new CertificateSpec(
            "tls-secret",
            new IssuerRef("postern", IssuerRef.Kind.ClusterIssuer),
            null,
            null,
            null,
            List.of("spiffe://cluster.local/ns/shop/sa/web"),
            null,
            null,
            null,
            null,
            null,
            null,
            null));
    client.resource(certificate).create();
    assertThat(facts().certificate("shop", "tls"))
        .contains(
            new NamedCertificate("tls-secret", List.of("spiffe://cluster.local/ns/shop/sa/web")));
    assertThat(facts().certificate("shop", "other")).isEmpty();
  }

  @Test
  void shouldFindNoLabelsWhenTheNamespaceIsNew() {
    assertThat(facts().namespaceLabels("absent")).isEmpty();
  }

  @Test
  void shouldSayThatThereWasNoAnswerWhenTheServerIsGone() {
    Config impatient =
        new ConfigBuilder(client.getConfiguration()).withRequestRetryBackoffLimit(0).build();
    server.destroy();
    try (KubernetesClient lonely = new KubernetesClientBuilder().withConfig(impatient).build()) {
      assertThatThrownBy(() -> new ApiServerFacts(lonely).hasPolicy("shop", "strict"))
          .isInstanceOf(LookupFailedException.class)
          .hasMessageContaining("TLSPolicy strict");
    }
  }

  private ApiServerFacts facts() {
    return new ApiServerFacts(client);
  }
}
