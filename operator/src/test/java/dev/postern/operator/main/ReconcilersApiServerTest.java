package dev.postern.operator.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.crds.AllowedNames;
import dev.postern.crds.Api;
import dev.postern.crds.CaIssuer;
import dev.postern.crds.Certificate;
import dev.postern.crds.CertificateSpec;
import dev.postern.crds.ClusterIssuer;
import dev.postern.crds.ClusterIssuerSpec;
import dev.postern.crds.IssuerRef;
import dev.postern.crds.PeerRule;
import dev.postern.crds.PrivateKeySpec;
import dev.postern.crds.TlsPolicy;
import dev.postern.crds.TlsPolicySpec;
import dev.postern.operator.apiserver.ApiServerExtension;
import dev.postern.operator.certificate.SecretSweep;
import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.PemCertificates;
import dev.postern.operator.serving.ReleaseNames;
import dev.postern.operator.workload.WorkloadSettings;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The reconcilers as a whole, without any webhook, against a real API server. */
@ExtendWith(ApiServerExtension.class)
class ReconcilersApiServerTest {

  private static final String RELEASE_NAMESPACE = "postern-system";
  private static final IssuerRef POSTERN = new IssuerRef("postern", IssuerRef.Kind.ClusterIssuer);

  private static KubernetesClient client;
  private static Reconcilers reconcilers;

  private String namespace;

  @BeforeAll
  static void start(KubernetesClient apiServer) {
    client = apiServer;
    createNamespace(RELEASE_NAMESPACE);
    OperatorSettings settings =
        new OperatorSettings(
            new ReleaseNames(RELEASE_NAMESPACE, "postern", "cluster.local"),
            List.of(),
            new WorkloadSettings(
                "cluster.local",
                "cluster.local",
                "postern",
                "24h",
                TlsPolicySpec.Mode.Disabled,
                TlsPolicySpec.MinVersion.TLS1_2,
                Duration.ofMinutes(10)));
    reconcilers =
        Reconcilers.start(
            client, settings, new SimpleMeterRegistry(), () -> true, InstantSource.system());
  }

  @AfterAll
  static void stop() {
    if (reconcilers != null) {
      reconcilers.close();
    }
  }

  @BeforeEach
  void createNamespace() {
    namespace = "t" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);
    createNamespace(namespace);
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata()
                .build())
        .create();
  }

  @Test
  void shouldMakeTheFirstAuthorityAndItsIssuer() {
    soon()
        .untilAsserted(
            () -> {
              ClusterIssuer issuer =
                  client.resources(ClusterIssuer.class).withName("postern").get();
              assertThat(issuer).isNotNull();
              assertThat(issuer.getStatus()).isNotNull();
              Condition ready = issuer.getStatus().conditions().getFirst();
              assertThat(ready.getReason()).isEqualTo("KeyPairVerified");
              assertThat(ready.getStatus()).isEqualTo("True");
              assertThat(ready.getObservedGeneration()).isEqualTo(1);
            });
    soon().until(() -> reconcilers.unreadiness().isEmpty());
  }

  @Test
  void shouldGiveAWorkloadItsIdentityPolicyAndTrust() {
    createPod("shop-1", Map.of("app", "shop"), Map.of());
    createService("shop");

    X509Certificate leaf = issuedWith("postern-id-shop", "shop." + namespace + ".svc");
    assertThat(CertificateNames.of(leaf).uris())
        .containsExactly("spiffe://cluster.local/ns/" + namespace + "/sa/web");
    assertThat(CertificateNames.of(leaf).dnsNames())
        .containsExactlyInAnyOrder(
            "shop",
            "shop." + namespace,
            "shop." + namespace + ".svc",
            "shop." + namespace + ".svc.cluster.local");
    assertThat(Duration.between(leaf.getNotBefore().toInstant(), leaf.getNotAfter().toInstant()))
        .isEqualTo(Duration.ofHours(24));
    soon().until(() -> policy("shop").contains("\"mode\":\"Strict\""));
    assertThat(policy("shop"))
        .contains("\"peers\":null")
        .contains("\"trustDomain\":\"cluster.local\"");
    soon().until(() -> configMap(Api.TRUST_CONFIG_MAP).isPresent());
    Map<String, String> trust = configMap(Api.TRUST_CONFIG_MAP).orElseThrow().getData();
    assertThat(trust.get("bundle.json")).contains("\"trustDomain\":\"cluster.local\"");
    X509Certificate root =
        PemCertificates.readAnchors(
                "ca.pem", trust.get("ca.pem").getBytes(StandardCharsets.US_ASCII))
            .getFirst();
    assertThat(leaf.getIssuerX500Principal()).isEqualTo(root.getSubjectX500Principal());
  }

  @Test
  void shouldIssueAnewWhenAServiceComesToSelectThePods() {
    createPod("late-1", Map.of("app", "late"), Map.of());
    X509Certificate first = issued("postern-id-late");
    assertThat(CertificateNames.of(first).dnsNames()).isEmpty();

    createService("late");

    X509Certificate second = issuedWith("postern-id-late", "late." + namespace + ".svc");
    assertThat(second.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
    soon()
        .untilAsserted(
            () ->
                assertThat(certificate("postern-id-late").getStatus().serialNumber())
                    .isEqualTo(second.getSerialNumber().toString(16)));
  }

  @Test
  void shouldDenyTheIdentityOfAnotherNamespace() {
    create("thief", spec("thief").uris("spiffe://cluster.local/ns/kube-system/sa/default"));
    awaitReady("thief", "False", "Denied");
    assertThat(condition("thief", "Ready").getMessage())
        .contains("spiffe://cluster.local/ns/kube-system/sa/default")
        .contains("spec.allow");
    assertThat(secret("thief")).isEmpty();
  }

  @Test
  void shouldDenyTheServiceNameOfAnotherNamespace() {
    create("thief", spec("thief").dnsNames("web.kube-system.svc"));
    awaitReady("thief", "False", "Denied");
    assertThat(secret("thief")).isEmpty();
  }

  @Test
  void shouldDenyAnAuthority() {
    create("ca", spec("ca").uris(identity()).ca());
    awaitReady("ca", "False", "Denied");
    assertThat(secret("ca")).isEmpty();
  }

  @Test
  void shouldGrantAForeignNameThatTheClusterIssuerAllows() {
    String foreign = "db.example.org";
    ClusterIssuer issuer = new ClusterIssuer();
    issuer.setMetadata(new ObjectMetaBuilder().withName("allows-" + namespace).build());
    issuer.setSpec(
        new ClusterIssuerSpec(
            null,
            new CaIssuer("postern-ca"),
            List.of(new AllowedNames(List.of(namespace), List.of(foreign), null, null))));
    client.resource(issuer).create();
    create("db", spec("db").issuer("allows-" + namespace).dnsNames(foreign));
    assertThat(CertificateNames.of(issued("db")).dnsNames()).containsExactly(foreign);
    client.resource(issuer).delete();
  }

  @Test
  void shouldKeepAwayFromASecretThatIsNotItsOwn() {
    Secret foreign =
        client
            .resource(
                new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName("mine")
                    .endMetadata()
                    .addToStringData("password", "x")
                    .build())
            .create();
    create("mine", spec("mine").uris(identity()));
    awaitReady("mine", "False", "Conflict");
    assertThat(secret("mine").orElseThrow().getMetadata().getResourceVersion())
        .isEqualTo(foreign.getMetadata().getResourceVersion());
  }

  @Test
  void shouldLetOneOfTwoCertificatesHaveTheSecretAndWriteItOnce() throws InterruptedException {
    create("one", spec("shared").uris(identity()));
    create("two", spec("shared").uris(identity()));
    soon()
        .until(
            () -> List.of(reason("one"), reason("two")).containsAll(List.of("Ready", "Conflict")));
    String version = secret("shared").orElseThrow().getMetadata().getResourceVersion();
    Thread.sleep(3000); // long enough for a quarrel to show
    assertThat(secret("shared").orElseThrow().getMetadata().getResourceVersion())
        .isEqualTo(version);
    assertThat(List.of(reason("one"), reason("two")))
        .containsExactlyInAnyOrder("Ready", "Conflict");
  }

  @Test
  void shouldIssueAnewWhenTheSecretIsDeletedOrSpoiled() {
    create("web", spec("web-tls").uris(identity()));
    X509Certificate first = issued("web-tls");

    client.secrets().inNamespace(namespace).withName("web-tls").delete();
    X509Certificate second = issuedOtherThan("web-tls", first);

    Secret spoiled = secret("web-tls").orElseThrow();
    spoiled
        .getData()
        .put(
            "tls.key",
            Base64.getEncoder().encodeToString("junk".getBytes(StandardCharsets.US_ASCII)));
    client.resource(spoiled).update();
    X509Certificate third = issuedOtherThan("web-tls", second);
    soon()
        .untilAsserted(
            () -> {
              assertThat(certificate("web").getStatus().revision()).isEqualTo(3);
              assertThat(certificate("web").getStatus().serialNumber())
                  .isEqualTo(third.getSerialNumber().toString(16));
            });
  }

  @Test
  void shouldMakeTheSecretAnewForACertificateThatWasMadeAnew() {
    create("web", spec("web-tls").uris(identity()));
    X509Certificate first = issued("web-tls");
    soon().until(() -> "Ready".equals(reason("web")));

    client.resources(Certificate.class).inNamespace(namespace).withName("web").delete();
    String uid = create("web", spec("web-tls").uris(identity())).getMetadata().getUid();

    X509Certificate second = issuedOtherThan("web-tls", first);
    assertThat(second).isNotNull();
    soon()
        .until(
            () ->
                uid.equals(
                    secret("web-tls")
                        .orElseThrow()
                        .getMetadata()
                        .getAnnotations()
                        .get(Api.CERTIFICATE_UID)));
  }

  @Test
  void shouldSweepTheSecretOfADeletedCertificateAtTheSecondSweep() {
    create("gone", spec("gone-tls").uris(identity()));
    issued("gone-tls");
    create("stays", spec("stays-tls").uris(identity()));
    issued("stays-tls");
    client.resources(Certificate.class).inNamespace(namespace).withName("gone").delete();

    SecretSweep sweep = new SecretSweep(client, List.of(namespace), () -> true);
    sweep.run();
    assertThat(secret("gone-tls")).isPresent();
    sweep.run();
    assertThat(secret("gone-tls")).isEmpty();
    assertThat(secret("stays-tls")).isPresent();
  }

  @Test
  void shouldIssueEachKindOfKey() {
    create("rsa", spec("rsa").uris(identity()).key(PrivateKeySpec.Algorithm.RSA, 3072));
    create("ed", spec("ed").uris(identity()).key(PrivateKeySpec.Algorithm.Ed25519, null));
    create("ec", spec("ec").uris(identity()));
    assertThat(KeyAlgorithm.of(issued("ec").getPublicKey())).contains(KeyAlgorithm.ECDSA_P256);
    assertThat(KeyAlgorithm.of(issued("ed").getPublicKey())).contains(KeyAlgorithm.ED25519);
    assertThat(KeyAlgorithm.of(issued("rsa").getPublicKey())).contains(KeyAlgorithm.RSA_3072);
  }

  @Test
  void shouldEnforceTheOldestPolicyAndSayThatTheNewerIsConflicted() throws InterruptedException {
    createPod("guarded-1", Map.of("app", "guarded"), Map.of());
    LabelSelector selector = new LabelSelectorBuilder().addToMatchLabels("app", "guarded").build();
    createPolicy("strict", selector, TlsPolicySpec.Mode.Strict, List.of());
    soon().until(() -> policy("guarded").contains("\"peers\":[]"));
    Thread.sleep(1100); // creation times have whole seconds
    createPolicy("loose", selector, TlsPolicySpec.Mode.Disabled, null);

    soon().until(() -> "True".equals(policyCondition("loose", "Conflicted").getStatus()));
    assertThat(policyCondition("loose", "Ready").getReason()).isEqualTo("Conflicted");
    assertThat(policyCondition("strict", "Ready").getReason()).isEqualTo("InForce");
    assertThat(policy("guarded")).contains("\"mode\":\"Strict\"").contains("\"peers\":[]");
  }

  @Test
  void shouldEnforceThePolicyThatThePodNames() {
    createPolicy(
        "only-billing",
        null,
        TlsPolicySpec.Mode.Strict,
        List.of(new PeerRule("spiffe://cluster.local/ns/*/sa/billing", null)));
    createPod("named-1", Map.of("app", "named"), Map.of(Api.POLICY, "only-billing"));
    soon().until(() -> policy("named").contains("spiffe://cluster.local/ns/*/sa/billing"));
  }

  private static void createPolicy(String namespace, String name, TlsPolicySpec spec) {
    TlsPolicy policy = new TlsPolicy();
    policy.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    policy.setSpec(spec);
    client.resource(policy).create();
  }

  private void createPolicy(
      String name, LabelSelector selector, TlsPolicySpec.Mode mode, List<PeerRule> peers) {
    createPolicy(namespace, name, new TlsPolicySpec(selector, mode, null, null, peers));
  }

  private Condition policyCondition(String name, String type) {
    TlsPolicy policy =
        client.resources(TlsPolicy.class).inNamespace(namespace).withName(name).get();
    return policy.getStatus() == null
        ? new Condition()
        : policy.getStatus().conditions().stream()
            .filter(it -> it.getType().equals(type))
            .findFirst()
            .orElseThrow();
  }

  private static void createNamespace(String name) {
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
  }

  private void createPod(String name, Map<String, String> labels, Map<String, String> annotations) {
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .addToLabels(Api.WORKLOAD_LABEL, labels.get("app"))
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName("web")
                .addNewContainer()
                .withName("app")
                .withImage("app")
                .endContainer()
                .endSpec()
                .build())
        .create();
  }

  private void createService(String name) {
    client
        .resource(
            new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", name)
                .addNewPort()
                .withPort(8080)
                .endPort()
                .endSpec()
                .build())
        .create();
  }

  private String identity() {
    return "spiffe://cluster.local/ns/" + namespace + "/sa/web";
  }

  private static Spec spec(String secretName) {
    return new Spec(secretName, POSTERN, List.of(), List.of(), null, null);
  }

  private record Spec(
      String secretName,
      IssuerRef issuerRef,
      List<String> dnsNames,
      List<String> uris,
      PrivateKeySpec key,
      Boolean isCa) {

    Spec uris(String... names) {
      return new Spec(secretName, issuerRef, dnsNames, List.of(names), key, isCa);
    }

    Spec dnsNames(String... names) {
      return new Spec(secretName, issuerRef, List.of(names), uris, key, isCa);
    }

    Spec issuer(String name) {
      IssuerRef other = new IssuerRef(name, IssuerRef.Kind.ClusterIssuer);
      return new Spec(secretName, other, dnsNames, uris, key, isCa);
    }

    Spec key(PrivateKeySpec.Algorithm algorithm, Integer size) {
      PrivateKeySpec wanted = new PrivateKeySpec(algorithm, size, null);
      return new Spec(secretName, issuerRef, dnsNames, uris, wanted, isCa);
    }

    Spec ca() {
      return new Spec(secretName, issuerRef, dnsNames, uris, key, true);
    }
  }

  private Certificate create(String name, Spec spec) {
    Certificate certificate = new Certificate();
    certificate.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    certificate.setSpec(
        new CertificateSpec(
            spec.secretName(),
            spec.issuerRef(),
            null,
            spec.dnsNames(),
            null,
            spec.uris(),
            null,
            null,
            null,
            spec.key(),
            null,
            spec.isCa(),
            null));
    return client.resource(certificate).create();
  }

  private Certificate certificate(String name) {
    return client.resources(Certificate.class).inNamespace(namespace).withName(name).get();
  }

  private Condition condition(String certificate, String type) {
    Certificate found = certificate(certificate);
    return found == null || found.getStatus() == null
        ? new Condition()
        : found.getStatus().conditions().stream()
            .filter(it -> it.getType().equals(type))
            .findFirst()
            .orElseThrow();
  }

  private String reason(String certificate) {
    return String.valueOf(condition(certificate, "Ready").getReason());
  }

  private void awaitReady(String certificate, String status, String reason) {
    soon()
        .untilAsserted(
            () -> {
              Condition ready = condition(certificate, "Ready");
              assertThat(ready.getStatus()).isEqualTo(status);
              assertThat(ready.getReason()).isEqualTo(reason);
            });
  }

  private Optional<Secret> secret(String name) {
    return Optional.ofNullable(client.secrets().inNamespace(namespace).withName(name).get());
  }

  private Optional<ConfigMap> configMap(String name) {
    return Optional.ofNullable(client.configMaps().inNamespace(namespace).withName(name).get());
  }

  private String policy(String workload) {
    return configMap(Api.policyName(workload)).map(it -> it.getData().get("v1.json")).orElse("");
  }

  private X509Certificate issued(String secret) {
    soon().until(() -> secret(secret).isPresent());
    return leaf(secret);
  }

  private X509Certificate issuedWith(String secret, String dnsName) {
    soon()
        .until(
            () ->
                secret(secret).isPresent()
                    && CertificateNames.of(leaf(secret)).dnsNames().contains(dnsName));
    return leaf(secret);
  }

  private X509Certificate issuedOtherThan(String secret, X509Certificate before) {
    soon().until(() -> secret(secret).isPresent() && !leaf(secret).equals(before));
    return leaf(secret);
  }

  private X509Certificate leaf(String secret) {
    byte[] pem = Base64.getDecoder().decode(secret(secret).orElseThrow().getData().get("tls.crt"));
    return PemCertificates.readChain("tls.crt", pem).getFirst();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(100));
  }
}
