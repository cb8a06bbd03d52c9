package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.NativeMemory;
import java.security.cert.CertificateException;

/**
 * The server side of one TLS connection: an SSL and its state; belongs to one worker's thread.
 *
 * <p>All addresses are native. No method allocates per record. How ciphertext travels is the
 * subclass's: through memory ({@link MemoryBioSession}) or the socket itself ({@link
 * DescriptorSession}).
 */
public abstract sealed class TlsSession implements AutoCloseable
    permits MemoryBioSession, DescriptorSession {

  /** {@link #read} or {@link #writeRecord}: nothing goes until the peer has sent more. */
  public static final int WANT_INPUT = -1;

  /** {@link #read}: the peer sent close_notify; nothing more will come. */
  public static final int CLOSE_NOTIFY = -2;

  /** {@link #read} or {@link #writeRecord}: the session is broken; see {@link #failure()}. */
  public static final int FAILED = -3;

  /** {@link #read} or {@link #writeRecord}: nothing goes until the socket takes more. */
  public static final int WANT_OUTPUT = -4;

  /** {@link #read}: the peer's FIN came without close_notify. */
  public static final int TRUNCATED = -5;

  /**
   * {@link #read} or {@link #writeRecord}: the socket is broken, nothing can be said to the peer.
   */
  public static final int RESET = -6;

  /** What one handshake step came to. */
  public enum Step {
    /** More ciphertext of the peer is needed. */
    WANT_INPUT,
    /** The socket takes no more for now. */
    WANT_OUTPUT,
    /** The handshake is over; {@link TlsSession#peer()} is known. */
    DONE,
    /** The peer went away. */
    ABORTED,
    /** The handshake failed; the alert is on its way, see {@link TlsSession#failure()}. */
    FAILED
  }

  /** TLSPlaintext.length is at most this (RFC 8446 section 5.1). */
  static final int MAX_RECORD_BYTES = 16 * 1024;

  final long ssl;
  private final AnchorTable anchors;
  private SessionState state = SessionState.HANDSHAKING;
  private PeerIdentity peer;
  private TlsFailure failure;
  private long recordsWritten;

  TlsSession(long ctx, AnchorTable anchors) {
    this.anchors = anchors;
    ErrorQueue.clear();
    ssl = LibSsl.sslNew(ctx);
    if (ssl == 0) {
      throw new OutOfMemoryError("SSL_new: " + ErrorQueue.take());
    }
    LibSsl.setAcceptState(ssl);
  }

  /** Goes on with the handshake as far as the input allows. */
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
    return switch (outcome(result)) {
      case WANT_INPUT -> Step.WANT_INPUT;
      case WANT_OUTPUT -> Step.WANT_OUTPUT;
      case TRUNCATED, RESET -> Step.ABORTED;
      default -> Step.FAILED;
    };
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

  /** Decrypts into {@code address}: bytes &gt; 0, or one of the negative constants. */
  public final int read(long address, int capacityBytes) {
    if (!state.readable()) {
      return unreadable();
    }
    ErrorQueue.clear();
    int bytes = LibSsl.read(ssl, address, capacityBytes);
    return bytes > 0 ? bytes : outcome(bytes);
  }

  private int unreadable() {
    assert state.established() || state == SessionState.FAILED : state;
    return state == SessionState.FAILED ? FAILED : CLOSE_NOTIFY;
  }

  /**
   * Encrypts at most one record's worth: bytes taken &gt; 0, or one of the negative constants;
   * after {@link #WANT_OUTPUT} the same bytes must be given again.
   */
  final int writeRecord(long address, int lengthBytes) {
    assert lengthBytes > 0;
    if (!state.writable()) {
      assert state == SessionState.FAILED : state;
      return FAILED;
    }
    ErrorQueue.clear();
    int bytes = LibSsl.write(ssl, address, Math.min(lengthBytes, MAX_RECORD_BYTES));
    if (bytes > 0) {
      // With partial writes enabled each call makes exactly one record.
      recordsWritten++;
      return bytes;
    }
    return outcome(bytes);
  }

  /** What a call came to that did not succeed. */
  private int outcome(int result) {
    int error = LibSsl.getError(ssl, result);
    return switch (error) {
      case Constants.SSL_ERROR_WANT_READ -> WANT_INPUT;
      case Constants.SSL_ERROR_WANT_WRITE -> WANT_OUTPUT;
      case Constants.SSL_ERROR_ZERO_RETURN -> closedByPeer();
      case Constants.SSL_ERROR_SYSCALL -> {
        // OpenSSL 3.2 to 3.5 say so too when user_canceled came before close_notify, as from JSSE.
        if ((LibSsl.getShutdown(ssl) & Constants.SSL_RECEIVED_SHUTDOWN) != 0) {
          yield closedByPeer();
        }
        fail(new TlsFailure(TlsFailure.Reason.PROTOCOL_ERROR, "the socket is broken"));
        yield RESET;
      }
      default -> failWith(error);
    };
  }

  private int closedByPeer() {
    become(state == SessionState.OPEN ? SessionState.READ_CLOSED : SessionState.CLOSED);
    return CLOSE_NOTIFY;
  }

  private int failWith(int error) {
    ErrorQueue.Entry cause = ErrorQueue.take();
    if (error != Constants.SSL_ERROR_SSL) {
      fail(new TlsFailure(TlsFailure.Reason.PROTOCOL_ERROR, "SSL_get_error " + error));
      return FAILED;
    }
    fail(FailureReasons.classify(cause, LibSsl.getVerifyResult(ssl)));
    return cause.isSsl(Constants.SSL_R_UNEXPECTED_EOF_WHILE_READING) ? TRUNCATED : FAILED;
  }

  /**
   * Queues close_notify (RFC 8446 section 6.1); reading may go on.
   *
   * @return false when the socket takes no more for now: ask again
   */
  public final boolean closeNotify() {
    if (state.writable()) {
      ErrorQueue.clear();
      int result = LibSsl.shutdown(ssl);
      if (result < 0 && LibSsl.getError(ssl, result) == Constants.SSL_ERROR_WANT_WRITE) {
        return false;
      }
      become(state == SessionState.OPEN ? SessionState.WRITE_CLOSED : SessionState.CLOSED);
    }
    return true;
  }

  /** Queues a fatal alert and breaks the session. */
  public final void alert(TlsAlert alert) {
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
      sendTls12Alert(alert, recordsWritten);
    }
    ErrorQueue.clear();
  }

  /** Sends a fatal alert of an established TLS 1.2 connection. */
  abstract void sendTls12Alert(TlsAlert alert, long recordsWritten);

  /**
   * Who the peer is, once the handshake is done; {@link PeerIdentity#ANONYMOUS} without a
   * certificate.
   */
  public final PeerIdentity peer() {
    assert peer != null : state;
    return peer;
  }

  /** Once the handshake is done. */
  public final TlsVersion protocol() {
    assert state.established() : state;
    return LibSsl.version(ssl) == Constants.TLS1_3_VERSION ? TlsVersion.TLS1_3 : TlsVersion.TLS1_2;
  }

  /** "TLSv1.2" or "TLSv1.3", once the handshake is done. */
  public final String version() {
    return protocol().label();
  }

  /** OpenSSL's name of the cipher suite, once the handshake is done. */
  public final String cipherSuite() {
    assert state.established() : state;
    return NativeMemory.string(LibSsl.cipherGetName(LibSsl.getCurrentCipher(ssl)));
  }

  /** True when the handshake resumed an earlier session. */
  public final boolean resumed() {
    assert state.established() : state;
    return LibSsl.sessionReused(ssl) == 1;
  }

  /** Why the session is broken; null while it is not. */
  public final TlsFailure failure() {
    return failure;
  }

  /** Frees the SSL object; only when no ciphertext is wanted any more. */
  @Override
  public void close() {
    if (state != SessionState.FREED) {
      LibSsl.sslFree(ssl);
      become(SessionState.FREED);
    }
  }

  final SessionState state() {
    return state;
  }

  final void fail(TlsFailure cause) {
    failure = cause;
    become(SessionState.FAILED);
  }

  private void become(SessionState next) {
    assert state.mayBecome(next) : state + " -> " + next;
    state = next;
  }
}
