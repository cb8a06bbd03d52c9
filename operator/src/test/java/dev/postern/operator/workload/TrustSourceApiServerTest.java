package dev.postern.operator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.crds.CaIssuer;
import dev.postern.crds.ClusterIssuer;
import dev.postern.crds.ClusterIssuerSpec;
import dev.postern.crds.TrustedRoot;
import dev.postern.operator.apiserver.ApiServerExtension;
import dev.postern.operator.issuer.Issuers;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.KeyAlgorithm;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class TrustSourceApiServerTest {

  private static final String NAME = "trusted";

  private final CertificateAuthority authority =
      CertificateAuthority.selfSigned(
          "Trusted", KeyAlgorithm.ECDSA_P256, Duration.ofDays(30), 0, Instant.now());
  private KubernetesClient client;
  private TrustSource source;

  @BeforeEach
  void create(KubernetesClient apiServer) {
    client = apiServer;
    source = source();
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(NAME)
                .endMetadata()
                .withType("kubernetes.io/tls")
                .addToData("tls.crt", encoded(authority.certificatePem()))
                .addToData("tls.key", encoded(authority.privateKeyPem()))
                .build())
        .create();
    ClusterIssuer issuer = new ClusterIssuer();
    issuer.setMetadata(new ObjectMetaBuilder().withName(NAME).build());
    issuer.setSpec(new ClusterIssuerSpec(null, new CaIssuer(NAME), null));
    client.resource(issuer).create();
  }

  @AfterEach
  void remove() {
    client.resources(ClusterIssuer.class).withName(NAME).delete();
    client.secrets().inNamespace("default").withName(NAME).delete();
  }

  @Test
  void shouldGiveTheRootOfAnIssuerWithItsTrustDomain() {
    assertThat(source.read().roots()).contains(root());
  }

  @Test
  void shouldKeepTheLastGoodRootWhenTheAuthoritysSecretBreaks() {
    source.read();
    breakSecret();
    assertThat(source.read().roots()).contains(root());
  }

  @Test
  void shouldSayThatTheBundleIsNotCompleteWhenThereIsNoLastGoodOne() {
    breakSecret();
    TrustBundle bundle = source().read();
    assertThat(bundle.complete()).isFalse();
    assertThat(bundle.roots()).doesNotContain(root());
  }

  @Test
  void shouldForgetTheRootOfAnIssuerThatIsGone() {
    source.read();
    client.resources(ClusterIssuer.class).withName(NAME).delete();
    assertThat(source.read().roots()).doesNotContain(root());
  }

  private TrustSource source() {
    return new TrustSource(
        client, new Issuers(client, "default", InstantSource.system()), "cluster.local");
  }

  private TrustedRoot root() {
    String pem = new String(authority.certificatePem(), StandardCharsets.US_ASCII);
    return new TrustedRoot("cluster.local", pem, "");
  }

  private void breakSecret() {
    Secret secret = client.secrets().inNamespace("default").withName(NAME).get();
    secret.getData().put("tls.crt", encoded("junk".getBytes(StandardCharsets.US_ASCII)));
    client.resource(secret).update();
  }

  private static String encoded(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
