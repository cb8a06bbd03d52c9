package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.NativeMemory;
import java.security.cert.CertificateException;

/** A session whose ciphertext passes through two memory BIOs; records are OpenSSL's. */
final class MemoryBioSession implements TlsSession {

  /** TLSPlaintext.length is at most this (RFC 8446 section 5.1). */
  private static final int MAX_RECORD_BYTES = 16 * 1024;

  private final AnchorTable anchors;
  private final long ssl;
  private final long fromPeer;
  private final long toPeer;
  private SessionState state = SessionState.HANDSHAKING;
  private PeerIdentity peer;
  private TlsFailure failure;
  private long recordsWritten;

  MemoryBioSession(long ctx, AnchorTable anchors) {
    this.anchors = anchors;
    ErrorQueue.clear();
    ssl = LibSsl.sslNew(ctx);
    fromPeer = LibCrypto.bioNew(LibCrypto.bioSMem());
    toPeer = LibCrypto.bioNew(LibCrypto.bioSMem());
    if (ssl == 0 || fromPeer == 0 || toPeer == 0) {
      throw new OutOfMemoryError("SSL_new: " + ErrorQueue.take());
    }
    LibSsl.setBio(ssl, fromPeer, toPeer);
    LibSsl.setAcceptState(ssl);
  }

  @Override
  public void feed(long address, int lengthBytes) {
    assert state != SessionState.FREED;
    // What follows a close_notify or a failure is ignored (RFC 8446 section 6.1).
    if (lengthBytes > 0 && (state == SessionState.HANDSHAKING || state.readable())) {
      if (LibCrypto.bioWrite(fromPeer, address, lengthBytes) != lengthBytes) {
        fail(new TlsFailure(TlsFailure.Reason.INTERNAL, "no memory for ciphertext"));
      }
    }
  }

  @Override
  public int drain(long address, int capacityBytes) {
    assert state != SessionState.FREED;
    return Math.max(LibCrypto.bioRead(toPeer, address, capacityBytes), 0);
  }

  @Override
  public int undrainedBytes() {
    assert state != SessionState.FREED;
    return (int) LibCrypto.bioCtrlPending(toPeer);
  }

  @Override
  public Step handshake() {
    assert state == SessionState.HANDSHAKING || state == SessionState.FAILED : state;
    if (state == SessionState.FAILED) {
      return Step.FAILED;
    }
    ErrorQueue.clear();
    int result = LibSsl.doHandshake(ssl);
    if (result == 1) {
      return finishHandshake();
    }
    int error = LibSsl.getError(ssl, result);
    if (error == Constants.SSL_ERROR_WANT_READ) {
      return Step.WANT_INPUT;
    }
    failWith(error);
    return Step.FAILED;
  }

  private Step finishHandshake() {
    become(SessionState.OPEN);
    try {
      peer = anchors.identify(ssl);
      return Step.DONE;
    } catch (CertificateException e) {
      sendAlert(TlsAlert.ACCESS_DENIED);
      fail(new TlsFailure(TlsFailure.Reason.BAD_CERTIFICATE, e.getMessage()));
      return Step.FAILED;
    }
  }

  @Override
  public int read(long address, int capacityBytes) {
    if (!state.readable()) {
      return unreadable();
    }
    ErrorQueue.clear();
    int bytes = LibSsl.read(ssl, address, capacityBytes);
    if (bytes > 0) {
      return bytes;
    }
    int error = LibSsl.getError(ssl, bytes);
    return switch (error) {
      case Constants.SSL_ERROR_WANT_READ -> WANT_INPUT;
      case Constants.SSL_ERROR_ZERO_RETURN -> {
        become(state == SessionState.OPEN ? SessionState.READ_CLOSED : SessionState.CLOSED);
        yield CLOSE_NOTIFY;
      }
      default -> failWith(error);
    };
  }

  private int unreadable() {
    assert state.established() || state == SessionState.FAILED : state;
    return state == SessionState.FAILED ? FAILED : CLOSE_NOTIFY;
  }

  @Override
  public int write(long address, int lengthBytes) {
    assert lengthBytes > 0;
    if (!state.writable()) {
      assert state == SessionState.FAILED : state;
      return FAILED;
    }
    int written = 0;
    while (written < lengthBytes) {
      ErrorQueue.clear();
      int bytes =
          LibSsl.write(ssl, address + written, Math.min(lengthBytes - written, MAX_RECORD_BYTES));
      if (bytes <= 0) {
        return failWith(LibSsl.getError(ssl, bytes));
      }
      // With partial writes enabled each call makes exactly one record.
      recordsWritten++;
      written += bytes;
    }
    return written;
  }

  @Override
  public void closeNotify() {
    if (state.writable()) {
      ErrorQueue.clear();
      LibSsl.shutdown(ssl);
      become(state == SessionState.OPEN ? SessionState.WRITE_CLOSED : SessionState.CLOSED);
    }
  }

  @Override
  public void alert(TlsAlert alert) {
    assert state != SessionState.FREED;
    if (state == SessionState.FAILED) {
      return;
    }
    if (state.writable()) {
      sendAlert(alert);
    }
    fail(new TlsFailure(TlsFailure.Reason.INTERNAL, "ended by us with alert " + alert));
  }

  private void sendAlert(TlsAlert alert) {
    ErrorQueue.clear();
    if (LibSsl.version(ssl) == Constants.TLS1_3_VERSION) {
      AlertTicket.send(ssl, alert);
    } else {
      Tls12Alert.send(ssl, toPeer, alert, recordsWritten);
    }
    ErrorQueue.clear();
  }

  @Override
  public PeerIdentity peer() {
    assert peer != null : state;
    return peer;
  }

  @Override
  public String version() {
    assert state.established() : state;
    return LibSsl.version(ssl) == Constants.TLS1_3_VERSION ? "TLSv1.3" : "TLSv1.2";
  }

  @Override
  public String cipherSuite() {
    assert state.established() : state;
    return NativeMemory.string(LibSsl.cipherGetName(LibSsl.getCurrentCipher(ssl)));
  }

  @Override
  public boolean resumed() {
    assert state.established() : state;
    return LibSsl.sessionReused(ssl) == 1;
  }

  @Override
  public TlsFailure failure() {
    return failure;
  }

  @Override
  public void trim() {
    assert state != SessionState.FREED;
    trim(fromPeer);
    trim(toPeer);
  }

  /** A memory BIO keeps its largest size; a new BUF_MEM in it starts at nothing. */
  private static void trim(long bio) {
    if (LibCrypto.bioCtrlPending(bio) == 0) {
      long empty = LibCrypto.bufMemNew();
      if (empty != 0) {
        LibCrypto.bioCtrl(bio, Constants.BIO_C_SET_BUF_MEM, Constants.BIO_CLOSE, empty);
      }
    }
  }

  @Override
  public void close() {
    if (state != SessionState.FREED) {
      // The BIOs belong to the SSL.
      LibSsl.sslFree(ssl);
      become(SessionState.FREED);
    }
  }

  private int failWith(int error) {
    ErrorQueue.Entry cause = ErrorQueue.take();
    fail(
        error == Constants.SSL_ERROR_SSL
            ? FailureReasons.classify(cause, LibSsl.getVerifyResult(ssl))
            : new TlsFailure(TlsFailure.Reason.PROTOCOL_ERROR, "SSL_get_error " + error));
    return FAILED;
  }

  private void fail(TlsFailure cause) {
    failure = cause;
    become(SessionState.FAILED);
  }

  private void become(SessionState next) {
    assert state.mayBecome(next) : state + " -> " + next;
    state = next;
  }
}
