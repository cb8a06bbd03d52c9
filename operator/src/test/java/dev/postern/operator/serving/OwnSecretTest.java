package dev.postern.operator.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class OwnSecretTest {
  KubernetesClient client;

  private boolean leading = true;

  @Test
  void shouldReadWhatIsThereWhenSomebodyCreatedItFirst() {
    own().createOrRead(data("first"));

    assertThat(text(own().createOrRead(data("second")))).isEqualTo("first");
  }

  @Test
  void shouldNotOverwriteWhenSomebodyWroteAfterItWasRead() {
    Secret read = own().createOrRead(data("first"));
    own().replace(read, data("somebody's"));

    assertThatThrownBy(() -> own().replace(read, data("mine")))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    assertThat(text(own().read())).isEqualTo("somebody's");
  }

  @Test
  void shouldNotReplaceWhenLeadershipIsLost() {
    Secret read = own().createOrRead(data("first"));
    leading = false;

    assertThatThrownBy(() -> own().replace(read, data("second")))
        .hasMessage("no longer the leader; Secret postern-system/x is not written");
    assertThat(text(own().read())).isEqualTo("first");
  }

  @Test
  void shouldWipeTheBytesWhenTheyAreWritten() {
    Map<String, byte[]> data = data("secret");
    byte[] key = data.get("tls.key");

    own().createOrRead(data);

    assertThat(key).containsOnly(0);
  }

  private OwnSecret own() {
    return new OwnSecret(client, "postern-system", "x", () -> leading);
  }

  private static Map<String, byte[]> data(String key) {
    return new HashMap<>(Map.of("tls.key", key.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String text(Secret secret) {
    return new String(OwnSecret.decode(secret).get("tls.key"), StandardCharsets.US_ASCII);
  }
}
