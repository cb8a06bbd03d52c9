package dev.postern.crds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResolvedPolicyTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void shouldTellNobodyFromEverybody() throws IOException {
    assertThat(JSON.readTree(policy(null).toJson()).get("peers").isNull()).isTrue();
    assertThat(JSON.readTree(policy(List.of()).toJson()).get("peers").isArray()).isTrue();
    assertThat(policy(null).version()).isNotEqualTo(policy(List.of()).version());
  }

  @Test
  void shouldHaveOneVersionForOneContent() {
    List<PeerRule> peers = List.of(new PeerRule("spiffe://cluster.local/ns/*/sa/web", null));
    assertThat(policy(peers)).isEqualTo(policy(peers));
    assertThat(policy(peers).version()).hasSize(16).isNotEqualTo(policy(null).version());
  }

  @Test
  void shouldRenderWhatTheSchemaSays() throws IOException {
    List<PeerRule> peers = List.of(new PeerRule(null, "web.shop.svc"));
    JsonNode rendered = JSON.readTree(policy(peers).toJson());
    JsonNode schema = schema();
    assertThat(names(rendered)).isEqualTo(names(schema.get("properties")));
    assertThat(names(rendered.get("peers").get(0))).containsExactly("dns");
    assertThat(names(rendered.get("limits")))
        .isEqualTo(names(schema.at("/properties/limits/properties")));
  }

  @ParameterizedTest
  @MethodSource("closedSets")
  void shouldAllowInTheSchemaWhatTheTypesHave(String pointer, Object[] values) throws IOException {
    assertThat(texts(schema().at("/properties" + pointer + "/enum")))
        .containsExactlyElementsOf(rendered(values));
  }

  static Stream<Arguments> closedSets() {
    return Stream.of(
        Arguments.of("/mode", TlsPolicySpec.Mode.values()),
        Arguments.of("/minVersion", TlsPolicySpec.MinVersion.values()),
        Arguments.of("/clientCertificate", TlsPolicySpec.ClientCertificate.values()),
        Arguments.of("/records", TlsPolicySpec.Records.values()),
        Arguments.of("/io", TlsPolicySpec.Io.values()),
        Arguments.of("/cipherSuites/items", CipherSuite.values()),
        Arguments.of("/groups/items", Group.values()),
        Arguments.of("/resumption", TlsPolicySpec.Resumption.values()),
        Arguments.of("/proxyProtocol", TlsPolicySpec.ProxyProtocol.values()));
  }

  private static ResolvedPolicy policy(List<PeerRule> peers) {
    return new ResolvedPolicy(
            "",
            TlsPolicySpec.Mode.Strict,
            TlsPolicySpec.MinVersion.TLS1_2,
            TlsPolicySpec.ClientCertificate.Required,
            "cluster.local",
            peers,
            new ResolvedPolicy.Path(TlsPolicySpec.Records.AUTO, TlsPolicySpec.Io.AUTO, 100, false),
            new ResolvedPolicy.Negotiation(null, null, List.of(), TlsPolicySpec.Resumption.On),
            TlsPolicySpec.ProxyProtocol.Off,
            new ResolvedPolicy.Limits(10, 3600, 0, 0))
        .named();
  }

  private static JsonNode schema() throws IOException {
    return JSON.readTree(ResolvedPolicy.class.getResourceAsStream("policy-v1.schema.json"));
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  private static List<String> rendered(Object[] values) {
    return Arrays.stream(values).map(value -> JSON.valueToTree(value).asText()).toList();
  }
}
