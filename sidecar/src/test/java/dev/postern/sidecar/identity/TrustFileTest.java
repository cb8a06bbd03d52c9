package dev.postern.sidecar.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.Loaded;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.tls.TrustScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrustFileTest {

  private static final TestPki ROOT = TestPki.root("root");
  private static final String PEM = ROOT.pem().replace("\n", "\\n");

  @TempDir Path folder;

  private Loaded<Trust> load(String json, Instant now) throws FileRefused, IOException {
    Path file = folder.resolve("bundle.json");
    Files.writeString(file, json);
    return new TrustFile(file).load(now);
  }

  private Loaded<Trust> load(String json) throws FileRefused, IOException {
    return load(json, Instant.now());
  }

  @Test
  void shouldGiveEachRootItsScopeWhenValid() throws Exception {
    String second = TestPki.root("second").pem().replace("\n", "\\n");
    Trust trust =
        load("""
                [{"trustDomain":"cluster.local","pem":"%s","crl":""},
                 {"dnsScope":"example.org","pem":"%s"}]"""
                .formatted(PEM, second))
            .value();

    assertThat(trust.anchors())
        .extracting(a -> a.scope())
        .containsExactly(TrustScope.trustDomain("cluster.local"), TrustScope.dns("example.org"));
  }

  @Test
  void shouldKeepOneWhenARootIsListedTwice() throws Exception {
    String entry = "{\"trustDomain\":\"cluster.local\",\"pem\":\"%s\"}".formatted(PEM + PEM);

    assertThat(load("[" + entry + "," + entry + "]").value().anchors()).hasSize(1);
  }

  @Test
  void shouldWarnWhenAFieldIsUnknown() throws Exception {
    Loaded<Trust> loaded =
        load(
            "[{\"trustDomain\":\"cluster.local\",\"pem\":\"%s\",\"x\":{\"y\":[1]}}]"
                .formatted(PEM));

    assertThat(loaded.warnings()).singleElement().asString().contains("[0].x is unknown");
  }

  static Stream<Arguments> broken() {
    String leaf =
        ROOT.leaf("spiffe://cluster.local/ns/a/sa/b").certificatePem().replace("\n", "\\n");
    String sub = ROOT.intermediate("sub").pem().replace("\n", "\\n");
    String key = ROOT.leaf("spiffe://cluster.local/ns/a/sa/b").keyPem().replace("\n", "\\n");
    return Stream.of(
        Arguments.of("", "is empty"),
        Arguments.of("[]", "holds no root"),
        Arguments.of("{}", "the file must be a JSON array"),
        Arguments.of("[", "is not JSON: line 1"),
        Arguments.of("[] []", "text after the end"),
        Arguments.of(
            "[{\"pem\":\"%s\"}]".formatted(PEM), "[0] must have one of trustDomain and dnsScope"),
        Arguments.of(
            "[{\"trustDomain\":\"a\",\"dnsScope\":\"b\",\"pem\":\"%s\"}]".formatted(PEM),
            "[0] must have one of"),
        Arguments.of("[{\"trustDomain\":\"a\"}]", "[0].pem is missing"),
        Arguments.of("[{\"trustDomain\":\"a\",\"pem\":\"\"}]", "[0].pem: holds no PEM certificate"),
        Arguments.of("[{\"trustDomain\":\"a\",\"pem\":1}]", "[0].pem must be a string"),
        Arguments.of("[{\"trustDomain\":\"A/*\",\"pem\":\"\"}]", "[0].trustDomain is \"A/*\""),
        Arguments.of(
            "[{\"trustDomain\":\"a\",\"pem\":\"%s\"}]".formatted(leaf), "is no CA certificate"),
        Arguments.of(
            "[{\"trustDomain\":\"a\",\"pem\":\"%s\"}]".formatted(sub), "is not self-signed"),
        Arguments.of(
            "[{\"trustDomain\":\"a\",\"pem\":\"%s\"}]".formatted(PEM + key), "type PRIVATE KEY"),
        Arguments.of(
            "[{\"trustDomain\":\"a\",\"pem\":\"%s\",\"crl\":\"x\"}]".formatted(PEM),
            "[0].crl is set"),
        Arguments.of(
            "[{\"trustDomain\":\"a\",\"pem\":\"%s\"},{\"dnsScope\":\"a\",\"pem\":\"%s\"}]"
                .formatted(PEM, PEM),
            "a root speaks for one scope"));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void shouldNameTheFieldWhenBroken(String json, String message) {
    assertThatThrownBy(() -> load(json))
        .isInstanceOf(FileRefused.class)
        .hasMessageContaining(message)
        .hasMessageStartingWith(folder.toString());
  }

  @Test
  void shouldRefuseWhenEveryRootHasExpired() {
    Instant later = ROOT.certificate().getNotAfter().toInstant().plus(Duration.ofSeconds(1));

    assertThatThrownBy(() -> load(ROOT.bundleJson("cluster.local"), later))
        .hasMessageContaining("every root in it has expired");
  }
}
