package dev.postern.operator.serving;

import dev.postern.crds.Api;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One kubernetes.io/tls Secret of the release's namespace that the operator writes.
 *
 * <p>Created or read, or replaced with the resourceVersion that was read; never forced.
 *
 * @param leading asked right before each write
 */
record OwnSecret(KubernetesClient client, String namespace, String name, BooleanSupplier leading) {
  /** As messages name it. */
  String display() {
    return "Secret " + namespace + "/" + name;
  }

  /** The Secret, or null. */
  Secret read() {
    return client.secrets().inNamespace(namespace).withName(name).get();
  }

  /** The Secret that stands there after: ours, or the one that somebody was faster with. */
  Secret createOrRead(Map<String, byte[]> data) {
    checkLeading();
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .addToLabels(Api.MANAGED_BY_LABEL, Api.MANAGED_BY)
            .endMetadata()
            .withType("kubernetes.io/tls")
            .withData(encode(data))
            .build();
    try {
      return client.resource(secret).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw new ServingException("cannot create " + display() + ": " + e.getMessage(), e);
      }
      Secret faster = read();
      if (faster == null) {
        throw new ServingException(display() + " came and went; trying again", e);
      }
      return faster;
    }
  }

  /** Writes new data over exactly the version that was read. */
  Secret replace(Secret read, Map<String, byte[]> data) {
    checkOwned(read);
    checkLeading();
    Secret changed = new SecretBuilder(read).withData(encode(data)).build();
    return client
        .resource(changed)
        .lockResourceVersion(read.getMetadata().getResourceVersion())
        .update();
  }

  void checkOwned(Secret read) {
    Map<String, String> labels = read.getMetadata().getLabels();
    if (labels == null || !Api.MANAGED_BY.equals(labels.get(Api.MANAGED_BY_LABEL))) {
      throw new ServingException(
          display()
              + " is not Postern's (label "
              + Api.MANAGED_BY_LABEL
              + "="
              + Api.MANAGED_BY
              + " is missing) and stays untouched; delete it or install under another release"
              + " name");
    }
  }

  static Map<String, byte[]> decode(Secret secret) {
    Map<String, byte[]> data = new HashMap<>();
    if (secret.getData() != null) {
      secret.getData().forEach((key, value) -> data.put(key, Base64.getDecoder().decode(value)));
    }
    return data;
  }

  private static Map<String, String> encode(Map<String, byte[]> data) {
    Map<String, String> encoded = new HashMap<>();
    data.forEach(
        (key, value) -> {
          encoded.put(key, Base64.getEncoder().encodeToString(value));
          Arrays.fill(value, (byte) 0);
        });
    return encoded;
  }

  private void checkLeading() {
    if (!leading.getAsBoolean()) {
      throw new ServingException("no longer the leader; " + display() + " is not written");
    }
  }
}
