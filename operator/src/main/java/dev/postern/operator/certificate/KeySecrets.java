package dev.postern.operator.certificate;

import dev.postern.crds.Api;
import dev.postern.crds.Certificate;
import dev.postern.crds.SecretTemplate;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The Secrets of Certificates. Created, or replaced with the resourceVersion that was read; never
 * forced, and never one that does not carry our label and the Certificate's UID (security.md 6).
 */
final class KeySecrets {

  static final String TYPE = "kubernetes.io/tls";

  private final KubernetesClient client;
  private final BooleanSupplier leading;

  KeySecrets(KubernetesClient client, BooleanSupplier leading) {
    this.client = client;
    this.leading = leading;
  }

  /** The Secret that a Certificate names, or null. */
  Secret read(Certificate certificate) {
    return client
        .secrets()
        .inNamespace(certificate.getMetadata().getNamespace())
        .withName(certificate.getSpec().secretName())
        .get();
  }

  /** Whose it is and what it holds. */
  HeldSecret held(Certificate certificate, Secret secret) {
    if (secret == null) {
      return HeldSecret.none();
    }
    ObjectMeta metadata = secret.getMetadata();
    String uid = annotation(metadata, Api.CERTIFICATE_UID);
    String owner = annotation(metadata, Api.CERTIFICATE);
    if (!isManaged(metadata) || uid.isEmpty() || !TYPE.equals(secret.getType())) {
      return new HeldSecret(HeldSecret.Holder.FOREIGN, "", Map.of());
    }
    if (uid.equals(certificate.getMetadata().getUid())) {
      return new HeldSecret(HeldSecret.Holder.THIS, owner, decoded(secret));
    }
    HeldSecret.Holder holder =
        exists(metadata.getNamespace(), owner, uid)
            ? HeldSecret.Holder.ANOTHER
            : HeldSecret.Holder.ORPHAN;
    return new HeldSecret(holder, owner, Map.of());
  }

  /** Key and certificate in one write. Somebody faster: KubernetesClientException, code 409. */
  void write(
      Certificate certificate, Secret read, Map<String, byte[]> data, SecretTemplate template) {
    checkLeading();
    SecretBuilder builder = read == null ? empty(certificate) : new SecretBuilder(read);
    Secret secret =
        builder
            .editMetadata()
            .addToLabels(template.labels())
            .addToLabels(Api.MANAGED_BY_LABEL, Api.MANAGED_BY)
            .addToAnnotations(template.annotations())
            .addToAnnotations(Api.CERTIFICATE, certificate.getMetadata().getName())
            .addToAnnotations(Api.CERTIFICATE_UID, certificate.getMetadata().getUid())
            .endMetadata()
            .withData(encoded(data))
            .build();
    if (read == null) {
      client.resource(secret).create();
    } else {
      client.resource(secret).lockResourceVersion(read.getMetadata().getResourceVersion()).update();
    }
  }

  /** Deletes exactly the version that was read. */
  void delete(Secret read) {
    checkLeading();
    client.resource(read).lockResourceVersion(read.getMetadata().getResourceVersion()).delete();
  }

  /** True for a Secret of ours that was made for a Certificate. */
  static boolean isMadeForACertificate(Secret secret) {
    return isManaged(secret.getMetadata())
        && !annotation(secret.getMetadata(), Api.CERTIFICATE_UID).isEmpty();
  }

  private boolean exists(String namespace, String name, String uid) {
    Certificate owner =
        name.isEmpty()
            ? null
            : client.resources(Certificate.class).inNamespace(namespace).withName(name).get();
    return owner != null && uid.equals(owner.getMetadata().getUid());
  }

  private void checkLeading() {
    if (!leading.getAsBoolean()) {
      throw new IllegalStateException("no longer the leader: no Secret is written");
    }
  }

  private static SecretBuilder empty(Certificate certificate) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(certificate.getMetadata().getNamespace())
        .withName(certificate.getSpec().secretName())
        .endMetadata()
        .withType(TYPE);
  }

  private static boolean isManaged(ObjectMeta metadata) {
    return metadata.getLabels() != null
        && Api.MANAGED_BY.equals(metadata.getLabels().get(Api.MANAGED_BY_LABEL));
  }

  private static String annotation(ObjectMeta metadata, String name) {
    Map<String, String> annotations = metadata.getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(name, "");
  }

  private static Map<String, byte[]> decoded(Secret secret) {
    Map<String, byte[]> data = new HashMap<>();
    if (secret.getData() != null) {
      secret.getData().forEach((key, value) -> data.put(key, Base64.getDecoder().decode(value)));
    }
    return data;
  }

  private static Map<String, String> encoded(Map<String, byte[]> data) {
    Map<String, String> encoded = new HashMap<>();
    data.forEach(
        (key, value) -> {
          encoded.put(key, Base64.getEncoder().encodeToString(value));
          Arrays.fill(value, (byte) 0);
        });
    return encoded;
  }
}
