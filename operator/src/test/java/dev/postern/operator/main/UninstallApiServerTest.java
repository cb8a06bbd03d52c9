package dev.postern.operator.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.crds.Api;
import dev.postern.operator.apiserver.ApiServerExtension;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServerExtension.class)
class UninstallApiServerTest {

  private static final String WEBHOOKS = "leaving";
  private static final String NAMESPACE = "uninstall";

  @Test
  void shouldKeepTheWebhooksWhileInjectedPodsExistAndRemoveThemWhenForced(KubernetesClient client) {
    makeInjectedPod(client);
    client
        .resource(
            new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(WEBHOOKS)
                .endMetadata()
                .build())
        .create();

    assertThat(UninstallCommand.uninstall(client, WEBHOOKS, List.of(NAMESPACE), false))
        .isEqualTo(1);
    assertThat(configuration(client)).isNotNull();
    assertThat(UninstallCommand.uninstall(client, WEBHOOKS, List.of(NAMESPACE), true)).isZero();
    assertThat(configuration(client)).isNull();
  }

  private static Object configuration(KubernetesClient client) {
    return client
        .admissionRegistration()
        .v1()
        .mutatingWebhookConfigurations()
        .withName(WEBHOOKS)
        .get();
  }

  private static void makeInjectedPod(KubernetesClient client) {
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("default")
                .endMetadata()
                .build())
        .create();
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("web")
                .addToLabels(Api.WORKLOAD_LABEL, "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("app")
                .withImage("app")
                .endContainer()
                .endSpec()
                .build())
        .create();
  }
}
