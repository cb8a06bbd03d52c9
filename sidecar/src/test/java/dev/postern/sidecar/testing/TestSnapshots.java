package dev.postern.sidecar.testing;

import dev.postern.sidecar.openssl.EvpPkey;
import dev.postern.sidecar.tls.ServerIdentity;
import dev.postern.sidecar.tls.TrustAnchor;
import dev.postern.sidecar.tls.TrustScope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** From fixtures to what a TlsContext is built of, without files. */
public final class TestSnapshots {

  private TestSnapshots() {}

  public static ServerIdentity serverIdentity(TestIdentity identity) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pem =
          arena.allocateFrom(
              ValueLayout.JAVA_BYTE, identity.keyPem().getBytes(StandardCharsets.US_ASCII));
      return new ServerIdentity(identity.chain(), EvpPkey.parse(pem).getFirst());
    }
  }

  public static TrustAnchor anchor(TestPki pki, String trustDomain) {
    return new TrustAnchor(pki.certificate(), TrustScope.trustDomain(trustDomain));
  }
}
