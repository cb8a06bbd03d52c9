package dev.postern.sidecar.testing;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.X509;
import dev.postern.sidecar.tls.ServerIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Socket;
import java.security.cert.CertificateEncodingException;

/**
 * OpenSSL as a client on a real socket, with the wire in the test's hand: what it would send can be
 * taken, cut, turned and sent later.
 */
@SuppressWarnings("restricted")
public final class WireClient implements AutoCloseable {

  private static final SymbolLookup LIBSSL =
      SymbolLookup.libraryLookup("libssl.so.3", Arena.global());
  private static final MethodHandle CLIENT_METHOD =
      handle("TLS_client_method", FunctionDescriptor.of(ValueLayout.JAVA_LONG));
  private static final MethodHandle SET_CONNECT_STATE =
      handle("SSL_set_connect_state", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
  // int SSL_key_update(SSL *s, int updatetype)
  private static final MethodHandle KEY_UPDATE =
      handle(
          "SSL_key_update",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
  // int SSL_renegotiate(SSL *s)
  private static final MethodHandle RENEGOTIATE =
      handle("SSL_renegotiate", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

  private static final int SCRATCH_BYTES = 64 * 1024;

  private final Socket socket;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment scratch = arena.allocate(SCRATCH_BYTES);
  private final long ctx;
  private final long ssl;
  private final long fromServer = LibCrypto.bioNew(LibCrypto.bioSMem());
  private final long toServer = LibCrypto.bioNew(LibCrypto.bioSMem());

  /** A client of one version, 0x0303 or 0x0304, with a certificate. */
  public WireClient(Socket socket, TestIdentity identity, int version) {
    this.socket = socket;
    try {
      ctx = LibSsl.ctxNew((long) CLIENT_METHOD.invokeExact());
      LibSsl.ctxCtrl(ctx, Constants.SSL_CTRL_SET_MIN_PROTO_VERSION, version, 0);
      LibSsl.ctxCtrl(ctx, Constants.SSL_CTRL_SET_MAX_PROTO_VERSION, version, 0);
      show(identity);
      ssl = LibSsl.sslNew(ctx);
      LibSsl.setBio(ssl, fromServer, toServer);
      SET_CONNECT_STATE.invokeExact(ssl);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  private static MethodHandle handle(String name, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(LIBSSL.findOrThrow(name), type);
  }

  private void show(TestIdentity identity) throws CertificateEncodingException {
    ServerIdentity own = TestSnapshots.serverIdentity(identity);
    long x509 = X509.parse(own.chain().getFirst().getEncoded());
    LibSsl.ctxUseCertificate(ctx, x509);
    LibCrypto.x509Free(x509);
    own.key().useIn(ctx);
  }

  /** The whole handshake; what it would send last is returned instead of sent. */
  public byte[] handshakeButForTheLastFlight() throws IOException {
    while (true) {
      ErrorQueue.clear();
      if (LibSsl.doHandshake(ssl) == 1) {
        return taken();
      }
      if (LibCrypto.bioCtrlPending(toServer) > 0 && isTls12LastFlight()) {
        return taken();
      }
      send(taken());
      receive();
    }
  }

  /** TLS 1.2's client flight is followed by the server's: the second one we send is the last. */
  private boolean isTls12LastFlight() {
    return LibSsl.version(ssl) == Constants.TLS1_2_VERSION && flights++ == 1;
  }

  private int flights;

  public void handshake() throws IOException {
    ErrorQueue.clear();
    while (LibSsl.doHandshake(ssl) != 1) {
      send(taken());
      receive();
      ErrorQueue.clear();
    }
    send(taken());
  }

  /** Seals without sending: the records as they would go out. */
  public byte[] seal(byte[] plain) {
    for (int at = 0; at < plain.length; ) {
      int length = Math.min(plain.length - at, SCRATCH_BYTES);
      MemorySegment.copy(plain, at, scratch, ValueLayout.JAVA_BYTE, 0, length);
      int written = LibSsl.write(ssl, scratch.address(), length);
      if (written <= 0) {
        throw new AssertionError("SSL_write: " + ErrorQueue.take());
      }
      at += written;
    }
    return taken();
  }

  public void write(byte[] plain) throws IOException {
    send(seal(plain));
  }

  /** Renews our keys with the next record, and asks for the server's or does not. */
  public byte[] keyUpdate(boolean request) {
    try {
      int result = (int) KEY_UPDATE.invokeExact(ssl, request ? 1 : 0);
      if (result != 1 || LibSsl.doHandshake(ssl) != 1) {
        throw new AssertionError("SSL_key_update: " + ErrorQueue.take());
      }
      return taken();
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  /** TLS 1.2: the ClientHello of another handshake. */
  public byte[] renegotiate() {
    try {
      int result = (int) RENEGOTIATE.invokeExact(ssl);
      LibSsl.doHandshake(ssl);
      return result == 1 ? taken() : new byte[0];
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  public byte[] closeNotify() {
    LibSsl.shutdown(ssl);
    return taken();
  }

  /** Exactly so many bytes of plaintext. */
  public byte[] read(int count) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (read.size() < count) {
      int bytes = readSome(count - read.size());
      if (bytes <= 0) {
        throw new IOException("ended with " + bytes + " after " + read.size() + " bytes");
      }
      read.write(scratch.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
    }
    return read.toByteArray();
  }

  /** All plaintext up to close_notify. */
  public byte[] readToEnd() throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (int bytes = readSome(SCRATCH_BYTES); bytes != 0; bytes = readSome(SCRATCH_BYTES)) {
      if (bytes < 0) {
        throw new IOException("ended with " + bytes + " after " + read.size() + " bytes");
      }
      read.write(scratch.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
    }
    return read.toByteArray();
  }

  /** Reads until the server's fatal alert, whose number is returned; -1: close_notify. */
  public int readAlert() throws IOException {
    int reason = readReason();
    return reason == 0 ? -1 : reason - Constants.SSL_AD_REASON_OFFSET;
  }

  /** Reads until the end: OpenSSL's reason for it, 0 for close_notify. */
  public int readReason() throws IOException {
    int bytes;
    do {
      bytes = readSome(SCRATCH_BYTES);
    } while (bytes > 0);
    return -bytes;
  }

  /** Bytes; 0 for close_notify; OpenSSL's reason for any other end, negative. */
  private int readSome(int most) throws IOException {
    while (true) {
      ErrorQueue.clear();
      int bytes = LibSsl.read(ssl, scratch.address(), Math.min(most, SCRATCH_BYTES));
      if (bytes > 0) {
        return bytes;
      }
      int error = LibSsl.getError(ssl, bytes);
      if (error == Constants.SSL_ERROR_ZERO_RETURN) {
        return 0;
      }
      if (error == Constants.SSL_ERROR_SSL) {
        return -ErrorQueue.take().reason();
      }
      send(taken());
      receive();
    }
  }

  /** Sends bytes as they are. */
  public void send(byte[] wire) throws IOException {
    if (wire.length > 0) {
      socket.getOutputStream().write(wire);
    }
  }

  public Socket socket() {
    return socket;
  }

  private byte[] taken() {
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    for (int n = take(); n > 0; n = take()) {
      taken.writeBytes(scratch.asSlice(0, n).toArray(ValueLayout.JAVA_BYTE));
    }
    return taken.toByteArray();
  }

  private int take() {
    return LibCrypto.bioRead(toServer, scratch.address(), SCRATCH_BYTES);
  }

  private void receive() throws IOException {
    byte[] wire = new byte[SCRATCH_BYTES];
    int bytes = socket.getInputStream().read(wire);
    if (bytes < 0) {
      throw new IOException("the server has ended without a word");
    }
    MemorySegment.copy(wire, 0, scratch, ValueLayout.JAVA_BYTE, 0, bytes);
    LibCrypto.bioWrite(fromServer, scratch.address(), bytes);
  }

  @Override
  public void close() throws IOException {
    LibSsl.sslFree(ssl);
    LibSsl.ctxFree(ctx);
    arena.close();
    socket.close();
  }
}
