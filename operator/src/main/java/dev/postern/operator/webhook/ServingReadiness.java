package dev.postern.operator.webhook;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Ready only when the API server would believe us: the leaf that is served verifies against every
 * caBundle of both webhook configurations (security.md 17).
 */
final class ServingReadiness implements Supplier<Optional<String>> {

  private final KubernetesClient client;
  private final String configuration;
  private final Function<byte[], Optional<String>> leafFailure;
  private volatile boolean started;
  private volatile boolean stopping;

  /**
   * @param configuration name of both webhook configurations
   * @param leafFailure from a caBundle (PEM, null when there is none) to why our leaf does not
   *     verify against it
   */
  ServingReadiness(
      KubernetesClient client,
      String configuration,
      Function<byte[], Optional<String>> leafFailure) {
    this.client = client;
    this.configuration = configuration;
    this.leafFailure = leafFailure;
  }

  /** From now on requests are answered in time. */
  void started() {
    started = true;
  }

  /** From now on no Service shall send more to this process. */
  void stopping() {
    stopping = true;
  }

  @Override
  public Optional<String> get() {
    if (stopping) {
      return Optional.of("stopping");
    }
    if (!started) {
      return Optional.of("warming up");
    }
    try {
      return Stream.of(mutating(), validating())
          .map(this::failure)
          .flatMap(Optional::stream)
          .findFirst();
    } catch (KubernetesClientException e) {
      return Optional.of("webhook configurations " + configuration + " cannot be read");
    }
  }

  private Optional<String> failure(List<WebhookClientConfig> clientConfigs) {
    if (clientConfigs.isEmpty()) {
      return Optional.of("a webhook configuration " + configuration + " is missing or empty");
    }
    return clientConfigs.stream()
        .map(config -> leafFailure.apply(caBundle(config)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static byte[] caBundle(WebhookClientConfig config) {
    String bundle = config.getCaBundle();
    return bundle == null ? null : Base64.getDecoder().decode(bundle);
  }

  private List<WebhookClientConfig> mutating() {
    MutatingWebhookConfiguration found =
        client
            .admissionRegistration()
            .v1()
            .mutatingWebhookConfigurations()
            .withName(configuration)
            .get();
    return found == null
        ? List.of()
        : found.getWebhooks().stream().map(MutatingWebhook::getClientConfig).toList();
  }

  private List<WebhookClientConfig> validating() {
    ValidatingWebhookConfiguration found =
        client
            .admissionRegistration()
            .v1()
            .validatingWebhookConfigurations()
            .withName(configuration)
            .get();
    return found == null
        ? List.of()
        : found.getWebhooks().stream().map(ValidatingWebhook::getClientConfig).toList();
  }
}
