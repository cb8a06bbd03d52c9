package dev.postern.operator.serving;

import dev.postern.operator.pki.CertificateAuthority;
import dev.postern.operator.pki.CertificateNames;
import dev.postern.operator.pki.IssuedCertificate;
import dev.postern.operator.pki.KeyAlgorithm;
import dev.postern.operator.pki.LeafRequest;
import dev.postern.operator.pki.PemPrivateKey;
import dev.postern.operator.pki.PkiException;
import dev.postern.operator.pki.RenewalPolicy;
import dev.postern.operator.pki.SecretExpectation;
import dev.postern.operator.pki.SecretVerdict;
import dev.postern.operator.pki.Usage;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the webhook's CA, the bundles and the leaf, in this order: a CA is trusted before a
 * leaf of it serves. Every step reads first and writes only what differs, so a pass may end
 * anywhere and the next one goes on.
 */
final class WebhookCertificates {
  static final Duration LEAF_LIFETIME = Duration.ofDays(90);

  private static final Logger LOG = LoggerFactory.getLogger(WebhookCertificates.class);
  private static final KeyAlgorithm ALGORITHM = KeyAlgorithm.ECDSA_P256;
  private static final Set<Usage> USAGES = Usage.parse(List.of("server auth"));

  private final OwnSecret authoritySecret;
  private final OwnSecret servingSecret;
  private final CaBundles bundles;
  private final CertificateNames names;

  WebhookCertificates(KubernetesClient client, ReleaseNames release, BooleanSupplier leading) {
    String namespace = release.namespace();
    authoritySecret = new OwnSecret(client, namespace, release.webhookAuthoritySecret(), leading);
    servingSecret = new OwnSecret(client, namespace, release.webhookServingSecret(), leading);
    bundles = new CaBundles(client, release.webhookConfiguration(), leading);
    names = CertificateNames.ofDns(release.webhookDnsNames());
  }

  void pass(Instant now) {
    WebhookAuthorities authorities = ensureAuthorities(now);
    bundles.ensure(authorities.bundle());
    ensureLeaf(authorities.current(), now);
  }

  private WebhookAuthorities ensureAuthorities(Instant now) {
    Secret secret = authoritySecret.read();
    if (secret == null) {
      LOG.info("creating {}", authoritySecret.display());
      secret =
          authoritySecret.createOrRead(WebhookAuthorities.first(AuthorityStep.create(now)).write());
    }
    authoritySecret.checkOwned(secret);
    WebhookAuthorities authorities;
    try {
      authorities =
          WebhookAuthorities.read(authoritySecret.display(), OwnSecret.decode(secret), now);
    } catch (PkiException e) {
      LOG.warn("{}; making a new webhook CA", e.getMessage());
      authorities = WebhookAuthorities.first(AuthorityStep.create(now));
      authoritySecret.replace(secret, authorities.write());
      return authorities;
    }
    return step(secret, authorities, now);
  }

  private WebhookAuthorities step(Secret secret, WebhookAuthorities authorities, Instant now) {
    AuthorityStep step = AuthorityStep.decide(authorities, now);
    if (step == AuthorityStep.KEEP) {
      return authorities;
    }
    LOG.info("{}: {}", authoritySecret.display(), step);
    WebhookAuthorities after = step.apply(authorities, now);
    authoritySecret.replace(secret, after.write());
    return after;
  }

  private void ensureLeaf(CertificateAuthority authority, Instant now) {
    Secret secret = servingSecret.read();
    if (secret == null) {
      LOG.info("creating {}", servingSecret.display());
      servingSecret.createOrRead(issue(authority, now));
      return;
    }
    servingSecret.checkOwned(secret);
    SecretExpectation expectation =
        new SecretExpectation(
            names,
            USAGES,
            ALGORITHM,
            Optional.of(authority),
            RenewalPolicy.atTwoThirds(String.valueOf(secret.getMetadata().getUid())));
    SecretVerdict verdict = expectation.check(OwnSecret.decode(secret), now);
    if (verdict.reason().needsIssuance()) {
      LOG.info(
          "{}: {} ({}); issuing anew",
          servingSecret.display(),
          verdict.reason().condition(),
          verdict.message());
      servingSecret.replace(secret, issue(authority, now));
    }
  }

  private Map<String, byte[]> issue(CertificateAuthority authority, Instant now) {
    KeyPair pair = ALGORITHM.generate();
    IssuedCertificate issued =
        authority.issue(new LeafRequest(names, pair.getPublic(), USAGES, LEAF_LIFETIME), now);
    Map<String, byte[]> data = new HashMap<>();
    data.put("tls.crt", issued.chainPem());
    data.put("tls.key", PemPrivateKey.write(pair.getPrivate()));
    data.put("ca.crt", issued.anchorPem());
    return data;
  }
}
