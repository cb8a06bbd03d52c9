package dev.postern.operator.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.crds.ClusterIssuer;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.KeyAlgorithm;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class FirstAuthorityTest {
  private static final ReleaseNames RELEASE =
      new ReleaseNames("postern-system", "postern", "cluster.local");
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  KubernetesClient client;

  @Test
  void shouldMakeACaOfTenYearsAndItsIssuerWhenThereIsNone() {
    CertificateAuthority authority = first().ensure(NOW);

    Secret secret = secret();
    assertThat(secret.getType()).isEqualTo("kubernetes.io/tls");
    assertThat(OwnSecret.decode(secret).get("tls.crt")).isEqualTo(authority.certificatePem());
    assertThat(KeyAlgorithm.of(authority.certificate().getPublicKey()))
        .contains(KeyAlgorithm.ECDSA_P256);
    assertThat(Duration.between(NOW, authority.certificate().getNotAfter().toInstant()).toDays())
        .isEqualTo(3649);
    assertThat(issuer().getSpec().ca().secretName()).isEqualTo("postern-ca");
  }

  @Test
  void shouldReadTheSameCaWhenStartedAgain() {
    CertificateAuthority made = first().ensure(NOW);

    assertThat(first().ensure(NOW.plusSeconds(60)).certificate()).isEqualTo(made.certificate());
  }

  @Test
  void shouldEndWithOneCaWhenReplicasRace() throws Exception {
    Set<X509Certificate> seen = ConcurrentHashMap.newKeySet();
    CountDownLatch gate = new CountDownLatch(1);
    Thread[] replicas = new Thread[6];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(gate);
                    seen.add(first().ensure(NOW).certificate());
                  });
    }

    gate.countDown();
    for (Thread replica : replicas) {
      replica.join();
    }

    assertThat(seen).hasSize(1);
  }

  @Test
  void shouldUseTheCaOfTheUserWhenHeBroughtOne() {
    CertificateAuthority own =
        CertificateAuthority.selfSigned("mine", KeyAlgorithm.ED25519, Duration.ofDays(30), 0, NOW);
    put(own.certificatePem(), own.privateKeyPem());

    assertThat(first().ensure(NOW).certificate()).isEqualTo(own.certificate());
  }

  @Test
  void shouldNeverOverwriteASecretThatHoldsNoUsableCa() {
    Secret broken = put(new byte[] {'x'}, new byte[] {'y'});

    assertThatThrownBy(() -> first().ensure(NOW))
        .isInstanceOf(ServingException.class)
        .hasMessageContaining("Secret postern-system/postern-ca tls.crt line 1")
        .hasMessageContaining("never overwritten");
    assertThat(secret()).isEqualTo(broken);
  }

  @Test
  void shouldWriteNothingWhenItDoesNotLead() {
    assertThatThrownBy(() -> new FirstAuthority(client, RELEASE, () -> false).ensure(NOW))
        .hasMessageContaining("no longer the leader");
    assertThat(secret()).isNull();
  }

  private FirstAuthority first() {
    return new FirstAuthority(client, RELEASE, () -> true);
  }

  private Secret put(byte[] tlsCrt, byte[] tlsKey) {
    return client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("postern-system")
                .withName("postern-ca")
                .endMetadata()
                .withType("kubernetes.io/tls")
                .withData(Map.of("tls.crt", base64(tlsCrt), "tls.key", base64(tlsKey)))
                .build())
        .create();
  }

  private Secret secret() {
    return client.secrets().inNamespace("postern-system").withName("postern-ca").get();
  }

  private ClusterIssuer issuer() {
    return client.resources(ClusterIssuer.class).withName("postern").get();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
