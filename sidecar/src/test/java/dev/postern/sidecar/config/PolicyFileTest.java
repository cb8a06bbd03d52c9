package dev.postern.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.Loaded;
import dev.postern.sidecar.tls.ClientCertificate;
import dev.postern.sidecar.tls.TlsVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                 "peers":[{"spiffe":"spiffe://td.example/ns/*/sa/web"},{"dns":"web.shop.svc"}]}""")
            .value();

    assertThat(policy.version()).isEqualTo("abc");
    assertThat(policy.mode()).isEqualTo(Mode.PERMISSIVE);
    assertThat(policy.minVersion()).isEqualTo(TlsVersion.TLS1_3);
    assertThat(policy.clientCertificate()).isEqualTo(ClientCertificate.OPTIONAL);
    assertThat(policy.trustDomain()).isEqualTo("td.example");
    assertThat(policy.peers().peers().orElseThrow()).hasSize(2);
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
        load("{\"version\":\"1\",\"trustDomain\":\"a\",\"limits\":{\"idle\":[1,2]}}");

    assertThat(loaded.warnings())
        .singleElement()
        .asString()
        .contains("limits is unknown to this version and ignored");
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
          {"mode":"Strict","mode":"Disabled"}             | Duplicate field
          """)
  void shouldNameTheFieldWhenAValueIsBad(String json, String message) {
    assertThatThrownBy(() -> load(json))
        .isInstanceOf(FileRefused.class)
        .hasMessageContaining(message)
        .hasMessageStartingWith(folder.toString());
  }
}
