package dev.postern.operator.serving;

import dev.postern.crds.Api;
import dev.postern.crds.CaIssuer;
import dev.postern.crds.ClusterIssuer;
import dev.postern.crds.ClusterIssuerSpec;
import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.PkiException;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CA that a fresh installation signs with: Secret and ClusterIssuer are created or read, and
 * never overwritten, whoever made them. Replicas that race end with one CA.
 */
public final class FirstAuthority {
  static final Duration LIFETIME = Duration.ofDays(3650);

  private static final Logger LOG = LoggerFactory.getLogger(FirstAuthority.class);

  private final KubernetesClient client;
  private final ReleaseNames release;
  private final BooleanSupplier leading;

  public FirstAuthority(KubernetesClient client, ReleaseNames release, BooleanSupplier leading) {
    this.client = client;
    this.release = release;
    this.leading = leading;
  }

  /**
   * Creates what is missing.
   *
   * @return the CA that stands there after
   * @throws ServingException when the Secret that stands there holds no usable CA
   */
  public CertificateAuthority ensure(Instant now) {
    CertificateAuthority authority = ensureSecret(now);
    ensureIssuer();
    return authority;
  }

  private CertificateAuthority ensureSecret(Instant now) {
    OwnSecret own =
        new OwnSecret(client, release.namespace(), release.firstAuthoritySecret(), leading);
    Secret secret = own.read();
    if (secret == null) {
      LOG.info("creating the first CA, {}", own.display());
      secret = own.createOrRead(create(now));
    }
    Map<String, byte[]> data = OwnSecret.decode(secret);
    try {
      return CertificateAuthority.fromPem(
          own.display(), data.get("tls.crt"), data.get("tls.key"), now);
    } catch (PkiException e) {
      throw new ServingException(
          e.getMessage() + "; it is never overwritten: mend or delete it", e);
    }
  }

  private static Map<String, byte[]> create(Instant now) {
    CertificateAuthority made =
        CertificateAuthority.selfSigned(
            "Postern CA " + now.truncatedTo(ChronoUnit.SECONDS),
            KeyAlgorithm.ECDSA_P256,
            LIFETIME,
            1,
            now);
    Map<String, byte[]> data = new HashMap<>();
    data.put("tls.crt", made.certificatePem());
    data.put("tls.key", made.privateKeyPem());
    data.put("ca.crt", made.certificatePem());
    return data;
  }

  private void ensureIssuer() {
    var issuers = client.resources(ClusterIssuer.class);
    if (issuers.withName(release.firstIssuer()).get() != null) {
      return;
    }
    if (!leading.getAsBoolean()) {
      throw new ServingException("no longer the leader; the ClusterIssuer is not written");
    }
    try {
      issuers.resource(issuer()).create();
      LOG.info("created ClusterIssuer {}", release.firstIssuer());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
  }

  private ClusterIssuer issuer() {
    ClusterIssuer issuer = new ClusterIssuer();
    issuer.setMetadata(
        new ObjectMetaBuilder()
            .withName(release.firstIssuer())
            .addToLabels(Api.MANAGED_BY_LABEL, Api.MANAGED_BY)
            .build());
    issuer.setSpec(
        new ClusterIssuerSpec(null, new CaIssuer(release.firstAuthoritySecret()), List.of()));
    return issuer;
  }
}
