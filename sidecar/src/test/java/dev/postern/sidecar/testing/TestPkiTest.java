package dev.postern.sidecar.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TestPkiTest {

  @Test
  void shouldChainToTheRootWhenIssuedByAnIntermediate() {
    TestPki root = TestPki.root("root");
    TestIdentity leaf = root.intermediate("sub").leaf("spiffe://cluster.local/ns/a/sa/b");

    assertThat(leaf.chain()).hasSize(2);
    assertThatCode(
            () -> {
              PKIXParameters p =
                  new PKIXParameters(Set.of(new TrustAnchor(root.certificate(), null)));
              p.setRevocationEnabled(false);
              CertPathValidator.getInstance("PKIX")
                  .validate(
                      CertificateFactory.getInstance("X.509")
                          .generateCertPath(List.copyOf(leaf.chain())),
                      p);
            })
        .doesNotThrowAnyException();
  }
}
