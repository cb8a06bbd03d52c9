package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;

/**
 * A session whose ciphertext passes through two memory BIOs; records are OpenSSL's.
 *
 * <p>After any call that can produce ciphertext ({@link #handshake}, {@link #read}, {@link #write},
 * {@link #alert}, {@link #closeNotify}) the caller takes it out with {@link #drain} and sends it,
 * in order.
 */
public final class MemoryBioSession extends TlsSession {

  private final long fromPeer;
  private final long toPeer;

  MemoryBioSession(long ctx, AnchorTable anchors) {
    super(ctx, anchors);
    fromPeer = LibCrypto.bioNew(LibCrypto.bioSMem());
    toPeer = LibCrypto.bioNew(LibCrypto.bioSMem());
    if (fromPeer == 0 || toPeer == 0) {
      throw new OutOfMemoryError("BIO_new: " + ErrorQueue.take());
    }
    LibSsl.setBio(ssl, fromPeer, toPeer);
  }

  /** Gives the peer's ciphertext; all of it is taken (copied). */
  public void feed(long address, int lengthBytes) {
    assert state() != SessionState.FREED;
    // What follows a close_notify or a failure is ignored (RFC 8446 section 6.1).
    if (lengthBytes > 0 && (state() == SessionState.HANDSHAKING || state().readable())) {
      if (LibCrypto.bioWrite(fromPeer, address, lengthBytes) != lengthBytes) {
        fail(new TlsFailure(TlsFailure.Reason.INTERNAL, "no memory for ciphertext"));
      }
    }
  }

  /** Takes ciphertext for the peer out. Returns bytes written at {@code address}; 0: none left. */
  public int drain(long address, int capacityBytes) {
    assert state() != SessionState.FREED;
    return Math.max(LibCrypto.bioRead(toPeer, address, capacityBytes), 0);
  }

  /** Ciphertext bytes that wait for {@link #drain}. */
  public int undrainedBytes() {
    assert state() != SessionState.FREED;
    return (int) LibCrypto.bioCtrlPending(toPeer);
  }

  /** Encrypts all {@code lengthBytes} &gt; 0; returns them, or {@link #FAILED}. */
  public int write(long address, int lengthBytes) {
    int written = 0;
    while (written < lengthBytes) {
      int bytes = writeRecord(address + written, lengthBytes - written);
      if (bytes < 0) {
        return FAILED;
      }
      written += bytes;
    }
    return written;
  }

  @Override
  void sendTls12Alert(TlsAlert alert, long recordsWritten) {
    Tls12Alert.send(ssl, toPeer, alert, recordsWritten);
  }

  /**
   * Gives back the memory that earlier ciphertext made the session's buffers grow to (up to 22 KiB
   * for each direction); worth a call when the connection has become idle. Data that waits stays.
   */
  public void trim() {
    assert state() != SessionState.FREED;
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
}
