package dev.postern.sidecar.tls;

/**
 * The server side of one TLS connection; belongs to one worker's thread.
 *
 * <p>All addresses are native. After any call that can produce ciphertext ({@link #handshake},
 * {@link #read}, {@link #write}, {@link #alert}, {@link #closeNotify}) the caller takes it out with
 * {@link #drain} and sends it, in order. No method allocates per record.
 */
public interface TlsSession extends AutoCloseable {

  /** {@link #read}: no whole record is there; feed more. */
  int WANT_INPUT = -1;

  /** {@link #read}: the peer sent close_notify; nothing more will come. */
  int CLOSE_NOTIFY = -2;

  /** {@link #read} or {@link #write}: the session is broken; see {@link #failure()}. */
  int FAILED = -3;

  /** What one handshake step came to. */
  enum Step {
    /** More ciphertext of the peer is needed. */
    WANT_INPUT,
    /** The handshake is over; {@link TlsSession#peer()} is known. */
    DONE,
    /** The handshake failed; an alert may be waiting in {@link TlsSession#drain}. */
    FAILED
  }

  /** Gives the peer's ciphertext; all of it is taken (copied). */
  void feed(long address, int lengthBytes);

  /** Takes ciphertext for the peer out. Returns bytes written at {@code address}; 0: none left. */
  int drain(long address, int capacityBytes);

  /** Ciphertext bytes that wait for {@link #drain}. */
  int undrainedBytes();

  /** Goes on with the handshake as far as the input allows. */
  Step handshake();

  /** Decrypts into {@code address}: bytes &gt; 0, or one of the negative constants. */
  int read(long address, int capacityBytes);

  /** Encrypts all {@code lengthBytes} &gt; 0; returns them, or {@link #FAILED}. */
  int write(long address, int lengthBytes);

  /** Queues close_notify (RFC 8446 section 6.1); reading may go on. */
  void closeNotify();

  /** Queues a fatal alert and breaks the session. */
  void alert(TlsAlert alert);

  /**
   * Who the peer is, once the handshake is done; {@link PeerIdentity#ANONYMOUS} without a
   * certificate.
   */
  PeerIdentity peer();

  /** "TLSv1.2" or "TLSv1.3", once the handshake is done. */
  String version();

  /** OpenSSL's name of the cipher suite, once the handshake is done. */
  String cipherSuite();

  /** True when the handshake resumed an earlier session. */
  boolean resumed();

  /** Why the session is broken; null while it is not. */
  TlsFailure failure();

  /**
   * Gives back the memory that earlier ciphertext made the session's buffers grow to (up to 22 KiB
   * for each direction); worth a call when the connection has become idle. Data that waits stays.
   */
  void trim();

  /** Frees the SSL object; only when no ciphertext is wanted any more. */
  @Override
  void close();
}
