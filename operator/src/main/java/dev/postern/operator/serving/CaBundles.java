package dev.postern.operator.serving;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the caBundle of both webhook configurations at what the webhook's CAs say.
 *
 * @param name of both configurations
 * @param leading asked right before each write
 */
record CaBundles(KubernetesClient client, String name, BooleanSupplier leading) {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundles.class);

  /**
   * Patches what differs.
   *
   * @param bundle PEM
   * @return how many configurations were written
   */
  int ensure(byte[] bundle) {
    String encoded = Base64.getEncoder().encodeToString(bundle);
    return ensure(mutating(), encoded) + ensure(validating(), encoded);
  }

  private MutatingWebhookConfiguration mutating() {
    return client.admissionRegistration().v1().mutatingWebhookConfigurations().withName(name).get();
  }

  private ValidatingWebhookConfiguration validating() {
    return client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName(name)
        .get();
  }

  private int ensure(HasMetadata configuration, String encoded) {
    if (configuration == null || !set(clientConfigs(configuration), encoded)) {
      return 0;
    }
    if (!leading.getAsBoolean()) {
      throw new ServingException("no longer the leader; the caBundle is not written");
    }
    client
        .resource(configuration)
        .lockResourceVersion(configuration.getMetadata().getResourceVersion())
        .update();
    LOG.info("caBundle of {} {} set", configuration.getKind(), name);
    return 1;
  }

  static List<WebhookClientConfig> clientConfigs(HasMetadata configuration) {
    return switch (configuration) {
      case MutatingWebhookConfiguration it ->
          it.getWebhooks().stream().map(MutatingWebhook::getClientConfig).toList();
      case ValidatingWebhookConfiguration it ->
          it.getWebhooks().stream().map(ValidatingWebhook::getClientConfig).toList();
      default -> throw new AssertionError("not a webhook configuration: " + configuration);
    };
  }

  /** True when an entry had another bundle. */
  static boolean set(List<WebhookClientConfig> configs, String encoded) {
    boolean changed = false;
    for (WebhookClientConfig config : configs) {
      if (!Objects.equals(config.getCaBundle(), encoded)) {
        config.setCaBundle(encoded);
        changed = true;
      }
    }
    return changed;
  }
}
