package dev.postern.sidecar.tls;

import dev.postern.sidecar.ktls.KernelOffer;
import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.X509;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * One worker's SSL_CTX for one snapshot of identity, trust and policy; belongs to that worker's
 * thread.
 *
 * <p>Sessions hold a reference of their own: closing the context does not touch live ones. There is
 * no resumption yet: the session cache is off, TLS 1.3 sends no tickets (num_tickets 0) and TLS 1.2
 * offers none (SSL_OP_NO_TICKET). ALPN is not answered: the terminator does not know what the app
 * speaks. No names of authorities go into the CertificateRequest, so that a client always shows the
 * certificate it has and an unknown one is told from none.
 */
public final class TlsContext implements AutoCloseable {

  /** Forward secrecy and AEAD only (RFC 9325 section 4.2). */
  private static final String TLS1_2_CIPHERS =
      "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
          + "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
          + "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

  private static final String TLS1_3_CIPHERS =
      "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

  private static final String GROUPS_3_5 = "X25519MLKEM768:X25519:P-256";
  private static final String GROUPS_3_0 = "X25519:P-256";

  private static final long OPTIONS =
      Constants.SSL_OP_NO_RENEGOTIATION
          | Constants.SSL_OP_NO_TICKET
          | Constants.SSL_OP_NO_COMPRESSION
          | Constants.SSL_OP_CIPHER_SERVER_PREFERENCE
          | Constants.SSL_OP_PRIORITIZE_CHACHA;

  private static final long MODE =
      Constants.SSL_MODE_ENABLE_PARTIAL_WRITE
          | Constants.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
          | Constants.SSL_MODE_RELEASE_BUFFERS
          | Constants.SSL_MODE_NO_AUTO_CHAIN;

  private final AnchorTable anchors;
  private long ctx;

  /**
   * Builds the context from validated parts.
   *
   * @throws IllegalArgumentException when OpenSSL refuses a part; the message says which and why
   */
  public TlsContext(ServerIdentity identity, List<TrustAnchor> trusted, TlsParameters parameters) {
    ctx = LibSsl.ctxNew(LibSsl.serverMethod());
    if (ctx == 0) {
      throw new OutOfMemoryError("SSL_CTX_new: " + ErrorQueue.take());
    }
    try {
      anchors = new AnchorTable(trusted);
      setProtocol(parameters);
      setIdentity(identity);
      setTrust(trusted, parameters.clientCertificate());
    } catch (CertificateException e) {
      close();
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** A session for a connection that was just accepted, over memory BIOs. */
  public MemoryBioSession accept() {
    assert ctx != 0 : "closed";
    return new MemoryBioSession(ctx, anchors);
  }

  /**
   * A session over the socket itself.
   *
   * @param fd connected and non-blocking; stays the caller's to close
   * @param offer what the kernel may take over when the handshake ends
   * @param secrets an address of {@link TrafficSecrets}, for KeyUpdates on kernel records; 0: none
   */
  public DescriptorSession accept(int fd, KernelOffer offer, long secrets) {
    assert ctx != 0 : "closed";
    return new DescriptorSession(ctx, anchors, fd, offer, secrets);
  }

  /** Drops this reference; live sessions go on. */
  @Override
  public void close() {
    if (ctx != 0) {
      LibSsl.ctxFree(ctx);
      ctx = 0;
    }
  }

  private void setProtocol(TlsParameters parameters) {
    try (Arena arena = Arena.ofConfined()) {
      LibSsl.ctxSetOptions(ctx, OPTIONS);
      control(Constants.SSL_CTRL_MODE, MODE);
      control(Constants.SSL_CTRL_SET_SESS_CACHE_MODE, Constants.SSL_SESS_CACHE_OFF);
      control(Constants.SSL_CTRL_SET_READ_AHEAD, 1);
      check(
          control(Constants.SSL_CTRL_SET_MIN_PROTO_VERSION, parameters.minVersion().number()),
          "minVersion");
      check(
          control(Constants.SSL_CTRL_SET_MAX_PROTO_VERSION, TlsVersion.TLS1_3.number()), "TLS 1.3");
      check(
          LibSsl.ctxSetCipherList(ctx, arena.allocateFrom(TLS1_2_CIPHERS).address()),
          "TLS 1.2 ciphers");
      check(
          LibSsl.ctxSetCiphersuites(ctx, arena.allocateFrom(TLS1_3_CIPHERS).address()),
          "TLS 1.3 ciphers");
      setGroups(arena);
      check(LibSsl.ctxSetNumTickets(ctx, 0), "num_tickets");
      check(AlertTicket.register(ctx) ? 1 : 0, "alert extension");
      KeyLog.register(ctx);
    }
  }

  private void setGroups(Arena arena) {
    // The post-quantum group came with OpenSSL 3.5; 3.0 refuses the whole list for one it lacks.
    if (groups(arena, GROUPS_3_5) != 1) {
      ErrorQueue.clear();
      check(groups(arena, GROUPS_3_0), "groups");
    }
  }

  private long groups(Arena arena, String list) {
    return LibSsl.ctxCtrl(
        ctx, Constants.SSL_CTRL_SET_GROUPS_LIST, 0, arena.allocateFrom(list).address());
  }

  private void setIdentity(ServerIdentity identity) throws CertificateException {
    boolean leaf = true;
    for (X509Certificate certificate : identity.chain()) {
      long x509 = X509.parse(certificate.getEncoded());
      try {
        check(
            leaf
                ? LibSsl.ctxUseCertificate(ctx, x509)
                : LibSsl.ctxCtrl(ctx, Constants.SSL_CTRL_CHAIN_CERT, 1, x509),
            "certificate " + certificate.getSubjectX500Principal());
      } finally {
        LibCrypto.x509Free(x509);
      }
      leaf = false;
    }
    check(identity.key().useIn(ctx), "private key");
  }

  private void setTrust(List<TrustAnchor> trusted, ClientCertificate clientCertificate)
      throws CertificateException {
    long store = LibSsl.ctxGetCertStore(ctx);
    for (TrustAnchor anchor : trusted) {
      long x509 = X509.parse(anchor.certificate().getEncoded());
      try {
        check(
            LibCrypto.x509StoreAddCert(store, x509),
            "root " + anchor.certificate().getSubjectX500Principal());
      } finally {
        LibCrypto.x509Free(x509);
      }
    }
    LibSsl.ctxSetVerify(ctx, verifyMode(clientCertificate), 0);
    setSessionContext(clientCertificate);
  }

  /** Demanded by OpenSSL as soon as clients are verified, man SSL_CTX_set_session_id_context. */
  private void setSessionContext(ClientCertificate clientCertificate) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom("postern " + clientCertificate.policyName());
      check(
          LibSsl.ctxSetSessionIdContext(ctx, name.address(), (int) name.byteSize() - 1),
          "session id context");
    }
  }

  private static int verifyMode(ClientCertificate clientCertificate) {
    return switch (clientCertificate) {
      case REQUIRED -> Constants.SSL_VERIFY_PEER | Constants.SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
      case OPTIONAL -> Constants.SSL_VERIFY_PEER;
      case NONE -> Constants.SSL_VERIFY_NONE;
    };
  }

  private long control(int command, long argument) {
    return LibSsl.ctxCtrl(ctx, command, argument, 0);
  }

  private static void check(long result, String what) {
    if (result != 1) {
      throw new IllegalArgumentException(
          "OpenSSL refuses the %s: %s".formatted(what, ErrorQueue.take()));
    }
  }
}
