package dev.postern.operator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.crds.TlsPolicy;
import dev.postern.crds.TlsPolicySpec;
import dev.postern.crds.TlsPolicySpec.MinVersion;
import dev.postern.crds.TlsPolicySpec.Mode;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFloorTest {

  private static final PolicyFloor NONE = new PolicyFloor("td", Mode.Disabled, MinVersion.TLS1_2);

  @Test
  void shouldWriteEveryFieldWithItsDefaultWhenNoneIsSet() {
    assertThat(NONE.apply(spec("{}")).toJson())
        .endsWith(
            "\"peers\":null,\"records\":\"auto\",\"io\":\"auto\",\"kernelRecordsPercent\":100,"
                + "\"expectKeyUpdates\":false,\"cipherSuites\":null,\"groups\":null,\"alpn\":[],"
                + "\"resumption\":\"On\",\"proxyProtocol\":\"Off\","
                + "\"limits\":{\"handshakeSeconds\":10,\"idleSeconds\":3600,\"ageSeconds\":0,"
                + "\"connections\":0}}");
  }

  @Test
  void shouldWriteEveryFieldAsItIsSet() {
    String set =
        """
        { records: kernel-tx, io: epoll, kernelRecordsPercent: 5, expectKeyUpdates: true,
          cipherSuites: [ECDHE-RSA-AES256-GCM-SHA384, TLS_AES_256_GCM_SHA384],
          groups: [P-384, X25519], alpn: [h2, http/1.1], resumption: "Off", proxyProtocol: V2,
          limits: {
            handshakeTimeout: 1m30s, idleTimeout: 24h, maxAge: 720h, maxConnections: 7 } }
        """;
    assertThat(NONE.apply(spec(set)).toJson())
        .endsWith(
            "\"peers\":null,\"records\":\"kernel-tx\",\"io\":\"epoll\",\"kernelRecordsPercent\":5,"
                + "\"expectKeyUpdates\":true,"
                + "\"cipherSuites\":[\"ECDHE-RSA-AES256-GCM-SHA384\",\"TLS_AES_256_GCM_SHA384\"],"
                + "\"groups\":[\"P-384\",\"X25519\"],\"alpn\":[\"h2\",\"http/1.1\"],"
                + "\"resumption\":\"Off\",\"proxyProtocol\":\"V2\","
                + "\"limits\":{\"handshakeSeconds\":90,\"idleSeconds\":86400,"
                + "\"ageSeconds\":2592000,\"connections\":7}}");
  }

  @Test
  void shouldNameAnotherVersionWhenAnyFieldDiffers() {
    assertThat(NONE.apply(spec("{alpn: [h2]}")).version())
        .isNotEqualTo(NONE.apply(spec("{}")).version());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{limits: {handshakeTimeout: 0s}} | limits.handshakeTimeout: 0s is not between 1s and 5m",
        "{limits: {handshakeTimeout: 5m1s}} | limits.handshakeTimeout: 5m1s is not between",
        "{limits: {idleTimeout: 24h1s}} | limits.idleTimeout: 24h1s is not between 1s and 24h",
        "{limits: {maxAge: 721h}} | limits.maxAge: 721h is not between 1s and 720h",
        "{limits: {maxAge: 1d}} | limits.maxAge: 1d is no duration",
        "{limits: {maxConnections: 0}} | limits.maxConnections: 0 is not between 1 and 1000000",
        "{minVersion: TLS1.3, cipherSuites: [ECDHE-RSA-AES128-GCM-SHA256]} | cipherSuites: none is"
      })
  void shouldNameTheFieldThatCannotBeEnforcedAndLetNobodyIn(String spec, String why) {
    assertThat(NONE.problem(spec(spec)).orElseThrow()).startsWith(why);
    assertThat(NONE.apply(spec(spec))).isEqualTo(NONE.closed());
  }

  @Test
  void shouldRefuseSuitesOfTls12AloneWhenTheFloorForbidsThatVersion() {
    PolicyFloor floor = new PolicyFloor("td", Mode.Disabled, MinVersion.TLS1_3);
    TlsPolicySpec old = spec("{cipherSuites: [ECDHE-RSA-AES128-GCM-SHA256]}");
    assertThat(NONE.problem(old)).isEmpty();
    assertThat(floor.problem(old)).isPresent();
    assertThat(floor.apply(old).peers()).isEmpty();
  }

  private static TlsPolicySpec spec(String yaml) {
    return Serialization.unmarshal("spec: " + yaml, TlsPolicy.class).getSpec();
  }
}
