package dev.postern.sidecar.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IdentityFilesTest {

  private static final TestPki ROOT = TestPki.root("root");
  private static final TestPki SUB = ROOT.intermediate("sub");
  private static final TestIdentity LEAF = SUB.leaf("spiffe://cluster.local/ns/a/sa/b");
  private static final TestIdentity OTHER = ROOT.leaf("spiffe://cluster.local/ns/a/sa/c");

  @TempDir Path folder;

  private Identity load(String certificate, String key) throws FileRefused, IOException {
    Files.writeString(folder.resolve("tls.crt"), certificate);
    Files.writeString(folder.resolve("tls.key"), key);
    return new IdentityFiles(folder).load(Instant.now()).value();
  }

  @Test
  void shouldLoadWhenChainAndKeyFit() throws Exception {
    Identity identity = load(LEAF.certificatePem(), LEAF.keyPem());

    assertThat(identity.server().chain()).isEqualTo(LEAF.chain());
    assertThat(identity.notAfter()).isEqualTo(LEAF.chain().get(0).getNotAfter().toInstant());
  }

  @Test
  void shouldLoadWhenLinesEndInCrlf() throws Exception {
    Identity identity =
        load(LEAF.certificatePem().replace("\n", "\r\n"), LEAF.keyPem().replace("\n", "\r\n"));

    assertThat(identity.server().chain()).hasSize(2);
  }

  @Test
  void shouldLoadWhenTextStandsBetweenTheBlocks() throws Exception {
    Identity identity = load("subject=x\n" + LEAF.certificatePem(), LEAF.keyPem());

    assertThat(identity.server().chain()).hasSize(2);
  }

  static Stream<Arguments> broken() {
    String crt = LEAF.certificatePem();
    String key = LEAF.keyPem();
    String leafOnly = crt.substring(0, crt.indexOf("-----END") + 26);
    String subOnly = crt.substring(leafOnly.length());
    return Stream.of(
        Arguments.of("empty certificate", "", key, "tls.crt: is empty"),
        Arguments.of("empty key", crt, "", "tls.key: is empty"),
        Arguments.of("garbage certificate", "hello", key, "tls.crt: holds no PEM certificate"),
        Arguments.of("garbage key", crt, "hello", "tls.key: holds no unencrypted PEM private key"),
        Arguments.of(
            "cut off", crt.substring(0, crt.length() - 40), key, "tls.crt: a PEM block is cut off"),
        Arguments.of("foreign key", crt, OTHER.keyPem(), "tls.key: is not the key of the first"),
        Arguments.of(
            "two keys", crt, key + OTHER.keyPem(), "tls.key: holds more than one private key"),
        Arguments.of("key in the certificate file", crt + key, key, "block of type PRIVATE KEY"),
        Arguments.of("wrong order", subOnly + leafOnly, key, "did not issue the one before it"),
        Arguments.of("foreign issuer", leafOnly + OTHER.certificatePem(), key, "did not issue"),
        Arguments.of("twice", leafOnly + leafOnly, key, "is there twice"),
        Arguments.of(
            "expired",
            ROOT.leaf().uri("spiffe://cluster.local/ns/a/sa/b").expired().issue().certificatePem(),
            key,
            "expired at"),
        Arguments.of(
            "garbage inside",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            key,
            "certificate 1 cannot be parsed"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void shouldNameFileAndCauseWhenBroken(
      String name, String certificate, String key, String message) {
    assertThatThrownBy(() -> load(certificate, key))
        .as(name)
        .isInstanceOf(FileRefused.class)
        .hasMessageContaining(message)
        .hasMessageContaining(folder.toString());
  }

  @Test
  void shouldNameTheFileWhenItDoesNotExist() {
    assertThatThrownBy(() -> new IdentityFiles(folder).load(Instant.now()))
        .hasMessage(folder.resolve("tls.crt") + ": does not exist");
  }

  @Test
  void shouldRefuseWhenNotYetValid() throws Exception {
    load(LEAF.certificatePem(), LEAF.keyPem());
    Instant before = LEAF.chain().get(0).getNotBefore().toInstant().minusSeconds(1);

    assertThatThrownBy(() -> new IdentityFiles(folder).load(before))
        .isInstanceOf(FileRefused.class)
        .hasMessageContaining("is not valid before");
  }
}
