package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.X509;
import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestSnapshots;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.security.cert.CertificateEncodingException;

/** OpenSSL as the client, in memory and without sockets: every byte can be seen, cut or turned. */
@SuppressWarnings("restricted")
final class NativeClient implements AutoCloseable {

  private static final SymbolLookup LIBSSL =
      SymbolLookup.libraryLookup("libssl.so.3", Arena.global());

  // const SSL_METHOD *TLS_client_method(void)
  private static final MethodHandle CLIENT_METHOD =
      Linker.nativeLinker()
          .downcallHandle(
              LIBSSL.findOrThrow("TLS_client_method"),
              FunctionDescriptor.of(ValueLayout.JAVA_LONG));
  // void SSL_set_connect_state(SSL *ssl)
  private static final MethodHandle SET_CONNECT_STATE =
      Linker.nativeLinker()
          .downcallHandle(
              LIBSSL.findOrThrow("SSL_set_connect_state"),
              FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

  private static final int WIRE_BYTES = 64 * 1024;

  private final Arena arena = Arena.ofConfined();
  private final long ctx;
  private final long ssl;
  private final long fromServer = LibCrypto.bioNew(LibCrypto.bioSMem());
  private final long toServer = LibCrypto.bioNew(LibCrypto.bioSMem());
  private final long wire = arena.allocate(WIRE_BYTES).address();

  NativeClient(TestIdentity identity, TlsVersion version) {
    try {
      ctx = LibSsl.ctxNew((long) CLIENT_METHOD.invokeExact());
      int number = version.number();
      LibSsl.ctxCtrl(ctx, Constants.SSL_CTRL_SET_MIN_PROTO_VERSION, number, 0);
      LibSsl.ctxCtrl(ctx, Constants.SSL_CTRL_SET_MAX_PROTO_VERSION, number, 0);
      show(identity);
      ssl = LibSsl.sslNew(ctx);
      LibSsl.setBio(ssl, fromServer, toServer);
      SET_CONNECT_STATE.invokeExact(ssl);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private void show(TestIdentity identity) throws CertificateEncodingException {
    ServerIdentity own = TestSnapshots.serverIdentity(identity);
    long x509 = X509.parse(own.chain().getFirst().getEncoded());
    LibSsl.ctxUseCertificate(ctx, x509);
    LibCrypto.x509Free(x509);
    own.key().useIn(ctx);
  }

  /** One step; true when the client is done. */
  boolean handshake() {
    ErrorQueue.clear();
    return LibSsl.doHandshake(ssl) == 1;
  }

  /** The whole handshake, whatever the server makes of it. */
  void handshake(MemoryBioSession session) {
    TlsSession.Step step = TlsSession.Step.WANT_INPUT;
    boolean done = false;
    while (!done || step == TlsSession.Step.WANT_INPUT) {
      done = handshake();
      sendAll(session);
      if (step == TlsSession.Step.WANT_INPUT) {
        step = session.handshake();
      }
      receiveAll(session);
      if (step == TlsSession.Step.FAILED) {
        return;
      }
    }
  }

  /** Ciphertext of the client goes to the server. */
  void sendAll(MemoryBioSession session) {
    for (int n = take(); n > 0; n = take()) {
      session.feed(wire, n);
    }
  }

  /** Ciphertext of the server goes to the client. */
  void receiveAll(MemoryBioSession session) {
    for (int n = session.drain(wire, WIRE_BYTES); n > 0; n = session.drain(wire, WIRE_BYTES)) {
      LibCrypto.bioWrite(fromServer, wire, n);
    }
  }

  /** Takes ciphertext for the server to {@link #wire()}. */
  int take() {
    return LibCrypto.bioRead(toServer, wire, WIRE_BYTES);
  }

  long wire() {
    return wire;
  }

  MemorySegment wireSegment(int length) {
    return MemorySegment.ofAddress(wire).reinterpret(length);
  }

  int write(long address, int length) {
    ErrorQueue.clear();
    return LibSsl.write(ssl, address, length);
  }

  /** Plaintext bytes, or 0 for close_notify, or -1 - (reason of the failure, as 1000 + alert). */
  int read(long address, int capacity) {
    ErrorQueue.clear();
    int bytes = LibSsl.read(ssl, address, capacity);
    return bytes > 0 || LibSsl.getError(ssl, bytes) == Constants.SSL_ERROR_ZERO_RETURN
        ? Math.max(bytes, 0)
        : -1 - ErrorQueue.take().reason();
  }

  void closeNotify() {
    LibSsl.shutdown(ssl);
  }

  @Override
  public void close() {
    LibSsl.sslFree(ssl);
    LibSsl.ctxFree(ctx);
    arena.close();
  }
}
