package dev.postern.operator.certificate;

import dev.postern.crds.Api;
import dev.postern.crds.Certificate;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the Secrets of Certificates that are gone. Key Secrets have no owner reference, so that a
 * deleted Certificate does not take the key from under running pods in the same moment: a Secret
 * goes at the second sweep that finds it alone.
 */
public final class SecretSweep implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(SecretSweep.class);

  private final KubernetesClient client;
  private final List<String> namespaces;
  private final KeySecrets secrets;
  private Set<String> alone = Set.of();

  /**
   * @param namespaces to sweep; empty: all
   */
  public SecretSweep(KubernetesClient client, List<String> namespaces, BooleanSupplier leading) {
    this.client = client;
    this.namespaces = List.copyOf(namespaces);
    this.secrets = new KeySecrets(client, leading);
  }

  @Override
  public void run() {
    try {
      sweep();
    } catch (KubernetesClientException | IllegalStateException e) {
      LOG.warn("sweep of Secrets without a Certificate: {}", e.getMessage());
    }
  }

  private void sweep() {
    Set<String> found = new HashSet<>();
    // Secrets first: a Certificate that is made meanwhile is then in its list.
    List<Secret> candidates = listSecrets();
    Set<String> owners = certificateUids();
    for (Secret secret : candidates) {
      String uid = secret.getMetadata().getAnnotations().get(Api.CERTIFICATE_UID);
      if (owners.contains(uid)) {
        continue;
      }
      String key = secret.getMetadata().getUid();
      if (alone.contains(key)) {
        LOG.info(
            "deleting Secret {}/{}: its Certificate is gone",
            secret.getMetadata().getNamespace(),
            secret.getMetadata().getName());
        secrets.delete(secret);
      } else {
        found.add(key);
      }
    }
    alone = found;
  }

  private List<Secret> listSecrets() {
    var labelled = client.secrets();
    List<Secret> all =
        namespaces.isEmpty()
            ? labelled
                .inAnyNamespace()
                .withLabel(Api.MANAGED_BY_LABEL, Api.MANAGED_BY)
                .list()
                .getItems()
            : namespaces.stream()
                .flatMap(
                    it ->
                        labelled
                            .inNamespace(it)
                            .withLabel(Api.MANAGED_BY_LABEL, Api.MANAGED_BY)
                            .list()
                            .getItems()
                            .stream())
                .toList();
    return all.stream().filter(KeySecrets::isMadeForACertificate).toList();
  }

  private Set<String> certificateUids() {
    var certificates = client.resources(Certificate.class);
    List<Certificate> all =
        namespaces.isEmpty()
            ? certificates.inAnyNamespace().list().getItems()
            : namespaces.stream()
                .flatMap(it -> certificates.inNamespace(it).list().getItems().stream())
                .toList();
    return all.stream().map(it -> it.getMetadata().getUid()).collect(Collectors.toSet());
  }
}
