package dev.postern.sidecar.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.Loaded;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.TlsVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {

  @TempDir Path folder;

  private Loaded<Policy> load(String json) throws FileRefused, IOException {
    Path file = folder.resolve("v1.json");
    Files.writeString(file, json);
    return new PolicyFile(file).load();
  }

  @Test
  void shouldReadEveryField() throws Exception {
    Policy policy =
        load("""
                {"version":"abc","mode":"Permissive","minVersion":"TLS1.3",
                 "clientCertificate":"Optional","trustDomain":"td.example",
                 "peers":[{"spiffe":"spiffe://td.example/ns/*/sa/web"},{"dns":"web.shop.svc"}],
                 "records":"kernel-tx","io":"io_uring","kernelRecordsPercent":5,
                 "expectKeyUpdates":true,
                 "cipherSuites":["TLS_AES_256_GCM_SHA384","ECDHE-RSA-AES256-GCM-SHA384"],
                 "groups":["P-256","X25519MLKEM768"],"alpn":["h2","http/1.1"],
                 "resumption":"Off","proxyProtocol":"V2",
                 "limits":{"handshakeSeconds":3,"idleSeconds":60,"ageSeconds":86400,
                           "connections":7}}""")
            .value();

    assertThat(policy.version()).isEqualTo("abc");
    assertThat(policy.mode()).isEqualTo(Mode.PERMISSIVE);
    assertThat(policy.minVersion()).isEqualTo(TlsVersion.TLS1_3);
    assertThat(policy.clientCertificate()).isEqualTo(ClientCertificate.OPTIONAL);
    assertThat(policy.trustDomain()).isEqualTo("td.example");
    assertThat(policy.peers().peers().orElseThrow()).hasSize(2);
    assertThat(policy.path())
        .isEqualTo(new PathPolicy(RecordsPolicy.KERNEL_TX, IoPolicy.IO_URING, 5, true));
    assertThat(policy.negotiation())
        .isEqualTo(
            new Negotiation(
                List.of(
                    CipherSuite.TLS_AES_256_GCM_SHA384, CipherSuite.ECDHE_RSA_AES256_GCM_SHA384),
                List.of(Group.P_256, Group.X25519MLKEM768),
                List.of("h2", "http/1.1"),
                Resumption.OFF));
    assertThat(policy.proxyProtocol()).isEqualTo(ProxyProtocol.V2);
    assertThat(policy.limits())
        .isEqualTo(
            new ConnectionLimits(
                Duration.ofSeconds(3),
                Duration.ofMinutes(1),
                Optional.of(Duration.ofDays(1)),
                OptionalInt.of(7)));
  }

  @Test
  void shouldTakeTheDefaultsWhenAnOlderOperatorWroteTheFile() throws Exception {
    Policy policy =
        load("""
                {"version":"1","mode":"Strict","minVersion":"TLS1.2",
                 "clientCertificate":"Required","trustDomain":"a","peers":null}""")
            .value();

    assertThat(policy.path())
        .isEqualTo(new PathPolicy(RecordsPolicy.AUTO, IoPolicy.AUTO, 100, false));
    assertThat(policy.negotiation())
        .isEqualTo(new Negotiation(List.of(), List.of(), List.of(), Resumption.ON));
    assertThat(policy.proxyProtocol()).isEqualTo(ProxyProtocol.OFF);
    assertThat(policy.limits())
        .isEqualTo(
            new ConnectionLimits(
                Duration.ofSeconds(10),
                Duration.ofHours(1),
                Optional.empty(),
                OptionalInt.empty()));
  }

  @Test
  void shouldTakeTheDefaultsWhenTheOperatorWroteThemOut() throws Exception {
    Policy written =
        load("""
                {"version":"1","trustDomain":"a","cipherSuites":null,"groups":null,"alpn":[],
                 "limits":{"handshakeSeconds":10,"idleSeconds":3600,"ageSeconds":0,
                           "connections":0}}""")
            .value();

    assertThat(written).isEqualTo(load("{\"version\":\"1\",\"trustDomain\":\"a\"}").value());
  }

  @Test
  void shouldTakeTheStrictestWhenFieldsAreAbsent() throws Exception {
    Policy policy = load("{\"version\":\"1\",\"trustDomain\":\"cluster.local\"}").value();

    assertThat(policy.mode()).isEqualTo(Mode.STRICT);
    assertThat(policy.clientCertificate()).isEqualTo(ClientCertificate.REQUIRED);
    assertThat(policy.peers().peers()).isEmpty();
  }

  @Test
  void shouldTellNobodyFromEverybodyWhenPeersIsEmpty() throws Exception {
    Policy policy = load("{\"version\":\"1\",\"trustDomain\":\"a\",\"peers\":[]}").value();

    assertThat(policy.peers().peers()).isPresent();
    assertThat(policy.peers().peers().orElseThrow()).isEmpty();
  }

  @Test
  void shouldWarnWhenAFieldIsUnknown() throws Exception {
    Loaded<Policy> loaded =
        load(
            """
            {"version":"1","trustDomain":"a","upstream":{"tls":[1,{"a":2}]},
             "limits":{"idleSeconds":60,"streams":[1]}}""");

    assertThat(loaded.value().limits().idle()).isEqualTo(Duration.ofMinutes(1));
    assertThat(loaded.warnings())
        .satisfiesExactly(
            first -> assertThat(first).contains("upstream is unknown to this version and ignored"),
            second -> assertThat(second).contains("limits.streams is unknown to this version"));
  }

  @Test
  void shouldRefuseMoreProtocolsThanSixteen() {
    String names =
        IntStream.range(0, 17).mapToObj(i -> "\"p%d\"".formatted(i)).collect(joining(","));
    assertThatThrownBy(() -> load("{\"alpn\":[" + names + "]}"))
        .hasMessageContaining("alpn has more than 16 names");
  }

  @Test
  void shouldRefuseSuitesOfTls12AloneWhenThatVersionIsNotSpoken() throws Exception {
    String suites =
        "{\"version\":\"1\",\"trustDomain\":\"a\",\"minVersion\":\"%s\","
            + "\"cipherSuites\":[\"ECDHE-RSA-AES128-GCM-SHA256\"]}";
    assertThat(load(suites.formatted("TLS1.2")).value().negotiation().cipherSuites()).hasSize(1);
    assertThatThrownBy(() -> load(suites.formatted("TLS1.3")))
        .isInstanceOf(FileRefused.class)
        .hasMessageContaining("cipherSuites has none for minVersion TLS1.3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          []                                              | the file must be a JSON object
          {                                               | is not JSON
          {"version":"1"}                                 | trustDomain is missing
          {"trustDomain":"a"}                             | version is missing
          {"mode":"strict"}                               | mode is "strict", allowed: Strict, Permissive, Disabled
          {"mode":null}                                   | mode must be a string
          {"minVersion":"TLS1.1"}                         | minVersion is "TLS1.1", allowed: TLS1.2, TLS1.3
          {"clientCertificate":"Maybe"}                   | clientCertificate is "Maybe", allowed: Required, Optional, None
          {"trustDomain":"*"}                             | trustDomain is "*"
          {"peers":{}}                                    | peers must be null or an array
          {"peers":["x"]}                                 | peers[0] must be an object
          {"peers":[{}]}                                  | peers[0] must have one of spiffe and dns
          {"peers":[{"dns":"a"},{"ip":"1"}]}              | peers[1].ip is unknown, allowed: spiffe, dns
          {"peers":[{"dns":"a","spiffe":"spiffe://a/b"}]} | peers[0] must have one of spiffe and dns, nothing else
          {"peers":[{"spiffe":"spiffe://*/ns/a"}]}        | peers[0].spiffe is "spiffe://*/ns/a": the trust domain
          {"peers":[{"spiffe":"spiffe://a"}]}             | has no path
          {"peers":[{"spiffe":"spiffe://a/"}]}            | the segment ""
          {"peers":[{"spiffe":"spiffe://a/web-*"}]}       | the segment "web-*"
          {"peers":[{"spiffe":"spiffe://a/.."}]}          | the segment ".."
          {"peers":[{"spiffe":"https://a/b"}]}            | must start with spiffe://
          {"peers":[{"dns":"*"}]}                         | the last label must not be *
          {"peers":[{"dns":"a..b"}]}                      | the label ""
          {"peers":[{"dns":"w*.b"}]}                      | the label "w*"
          {"records":"ktls"}                              | records is "ktls", allowed: auto, kernel, kernel-tx, openssl
          {"records":null}                                | records must be a string
          {"io":"iouring"}                                | io is "iouring", allowed: auto, io_uring, epoll
          {"kernelRecordsPercent":101}                    | kernelRecordsPercent is 101, allowed: 0 to 100
          {"kernelRecordsPercent":-1}                     | kernelRecordsPercent is -1, allowed: 0 to 100
          {"kernelRecordsPercent":4294967297}             | kernelRecordsPercent is 4294967297, allowed: 0 to 100
          {"kernelRecordsPercent":99999999999999999999}   | kernelRecordsPercent is 99999999999999999999, allowed
          {"kernelRecordsPercent":"5"}                    | kernelRecordsPercent must be a whole number
          {"kernelRecordsPercent":5.0}                    | kernelRecordsPercent must be a whole number
          {"expectKeyUpdates":"true"}                     | expectKeyUpdates must be true or false
          {"cipherSuites":[]}                             | cipherSuites must be null or have at least one value
          {"cipherSuites":"TLS_AES_128_GCM_SHA256"}       | cipherSuites must be null or an array
          {"cipherSuites":["AES128-SHA"]}                 | cipherSuites[0] is "AES128-SHA", allowed: TLS_AES_128_GCM_SHA256, TLS_AES_256
          {"groups":["X25519","P-192"]}                   | groups[1] is "P-192", allowed: X25519MLKEM768, X25519, P-256, P-384, P-521
          {"groups":["X25519","X25519"]}                  | groups[1] is "X25519" a second time
          {"alpn":null}                                   | alpn must be an array
          {"alpn":[""]}                                   | alpn[0] must be 1 to 255 visible ASCII characters
          {"alpn":["h2","h 2"]}                           | alpn[1] must be 1 to 255 visible ASCII characters
          {"alpn":["h2","h2"]}                            | alpn[1] must be 1 to 255 visible ASCII characters, and no other's name
          {"resumption":false}                            | resumption must be a string
          {"resumption":"off"}                            | resumption is "off", allowed: On, Off
          {"proxyProtocol":"V1"}                          | proxyProtocol is "V1", allowed: Off, V2
          {"limits":[]}                                   | limits must be an object
          {"limits":{"handshakeSeconds":0}}               | limits.handshakeSeconds is 0, allowed: 1 to 300
          {"limits":{"handshakeSeconds":301}}             | limits.handshakeSeconds is 301, allowed: 1 to 300
          {"limits":{"idleSeconds":86401}}                | limits.idleSeconds is 86401, allowed: 1 to 86400
          {"limits":{"ageSeconds":2592001}}               | limits.ageSeconds is 2592001, allowed: 0 to 2592000
          {"limits":{"connections":1000001}}              | limits.connections is 1000001, allowed: 0 to 1000000
          {"mode":"Strict","mode":"Disabled"}             | Duplicate field
          """)
  void shouldNameTheFieldWhenAValueIsBad(String json, String message) {
    assertThatThrownBy(() -> load(json))
        .isInstanceOf(FileRefused.class)
        .hasMessageContaining(message)
        .hasMessageStartingWith(folder.toString());
  }
}
