package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MutualTlsIT {

  private static Sandbox sandbox;
  private static MutualTls client;
  private static String address;
  private static Pod web;

  @BeforeAll
  static void deploy() {
    sandbox = new Sandbox("mtls");
    sandbox.apply("web.yaml");
    client = sandbox.clientIdentity();
    web = sandbox.readyPod("web");
    address = web.getStatus().getPodIP();
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldServeThePageToAClientOfTheTrustDomain(String protocol) throws IOException {
    assertThat(client.get(address, 8080, protocol)).startsWith("HTTP/1.1 200").contains("nginx");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldRefuseAClientWithoutACertificate(String protocol) {
    MutualTls anonymous = MutualTls.anonymous(sandbox.secret("client-tls"));
    assertRefused(anonymous, protocol);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldRefuseACertificateOfAnotherCa(String protocol) {
    sandbox.apply("other-ca.yaml");
    Map<String, String> stranger = sandbox.secret("stranger-tls");
    assertRefused(MutualTls.of(stranger, sandbox.secret("client-tls")), protocol);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ECDSA", "RSA", "Ed25519"})
  void shouldAcceptAClientWithAKeyOfEachAlgorithm(String algorithm) throws IOException {
    String name = "client-" + algorithm.toLowerCase(Locale.ROOT);
    sandbox.apply("key-algorithm.yaml", "name", name, "algorithm", algorithm);
    MutualTls peer = MutualTls.from(sandbox.secret(name));
    assertThat(peer.get(address, 8080, "TLSv1.3")).startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldShowTheIdentityOfTheWorkload() throws Exception {
    assertThat(client.serverCertificate(address, 8080).getSubjectAlternativeNames())
        .extracting(name -> name.get(1).toString())
        .contains(
            "spiffe://cluster.local/ns/" + sandbox.namespace() + "/sa/default",
            "web." + sandbox.namespace() + ".svc.cluster.local");
  }

  @Test
  void shouldNameThePathAndItsReasonInTheLog() throws IOException {
    client.get(address, 8080, "TLSv1.3");
    assertThat(sandbox.sidecarLog(web))
        .contains("records=openssl")
        .containsPattern("io=(epoll|io_uring)");
  }

  private static void assertRefused(MutualTls peer, String protocol) {
    assertThatThrownBy(
            () -> {
              String answer = peer.get(address, 8080, protocol);
              // TLS 1.3 tells a client of its refusal after the client's own handshake is done.
              if (answer.isEmpty()) {
                throw new IOException("closed without an answer");
              }
            })
        .isInstanceOf(IOException.class);
  }
}
