package dev.postern.sidecar.tls;

import dev.postern.sidecar.ktls.KernelCipher;
import dev.postern.sidecar.ktls.KernelOffer;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;

/**
 * A session whose SSL owns the socket, so that the kernel may take the records over when the
 * handshake ends (man SSL_CTX_set_options, SSL_OP_ENABLE_KTLS).
 *
 * <p>Nothing is read ahead: a byte that follows the client's Finished stays in the kernel, which
 * then decrypts it itself.
 */
public final class DescriptorSession extends TlsSession implements SendRenewal {

  /** SSL_KEY_UPDATE_NONE: no KeyUpdate is owed, man SSL_get_key_update_type(3ssl). */
  private static final int KEY_UPDATE_NONE = -1;

  private static final int KEY_UPDATE_NOT_REQUESTED = 0;

  private final KernelOffer offer;
  private final long secrets;

  /**
   * Takes over a connected, non-blocking socket for the handshake; the caller closes it.
   *
   * @param secrets where the key log leaves the traffic secrets ({@link TrafficSecrets#BYTES}); 0:
   *     they are not wanted
   */
  DescriptorSession(long ctx, AnchorTable anchors, int fd, KernelOffer offer, long secrets) {
    super(ctx, anchors);
    this.offer = offer;
    this.secrets = secrets;
    LibSsl.setReadAhead(ssl, 0);
    if (LibSsl.setFd(ssl, fd) != 1) {
      throw new OutOfMemoryError("SSL_set_fd: " + ErrorQueue.take());
    }
    if (offer != KernelOffer.NOTHING) {
      LibSsl.setOptions(ssl, Constants.SSL_OP_ENABLE_KTLS);
    }
  }

  /** One step, during which the key log knows this session's place for secrets and its offer. */
  @Override
  public Step handshake() {
    KeyLog.enter(offer, secrets);
    try {
      return super.handshake();
    } finally {
      KeyLog.leave();
    }
  }

  /** Encrypts and sends: bytes &gt; 0, perhaps fewer than given, or one of the constants. */
  public int write(long address, int lengthBytes) {
    return writeRecord(address, lengthBytes);
  }

  /** True when records to the peer are the kernel's, once the handshake is done. */
  public boolean kernelSends() {
    return LibCrypto.bioCtrl(LibSsl.getWbio(ssl), Constants.BIO_CTRL_GET_KTLS_SEND, 0, 0) == 1;
  }

  /** True when records of the peer are the kernel's, once the handshake is done. */
  public boolean kernelReceives() {
    return LibCrypto.bioCtrl(LibSsl.getRbio(ssl), Constants.BIO_CTRL_GET_KTLS_RECV, 0, 0) == 1;
  }

  /** The AEAD of the negotiated suite, as the kernel numbers it. */
  public KernelCipher cipher() {
    return KernelCipher.ofSuite(cipherSuite());
  }

  /** True when the peer has asked for new keys and our KeyUpdate is still to be sent. */
  public boolean owesKeyUpdate() {
    return LibSsl.getKeyUpdateType(ssl) != KEY_UPDATE_NONE;
  }

  /**
   * Sends KeyUpdate and changes our keys, where they are the kernel's; nothing else may be in
   * flight. Since OpenSSL still reads, it also keeps count of the keys that we send under.
   *
   * @return 0, or -errno: -EAGAIN means that it is to be called again
   */
  @Override
  public int renewSend() {
    ErrorQueue.clear();
    if (!owesKeyUpdate() && LibSsl.keyUpdate(ssl, KEY_UPDATE_NOT_REQUESTED) != 1) {
      return -Errno.EIO;
    }
    int result = LibSsl.doHandshake(ssl);
    if (result != 1) {
      boolean full = LibSsl.getError(ssl, result) == Constants.SSL_ERROR_WANT_WRITE;
      return full ? -Errno.EAGAIN : -Errno.EIO;
    }
    return kernelSends() ? 0 : -Errno.EIO;
  }

  @Override
  void sendTls12Alert(TlsAlert alert, long recordsWritten) {
    Tls12Alert.send(ssl, LibSsl.getWbio(ssl), alert, recordsWritten);
  }

  /** Leaves the connection, which others go on with: nothing is said to the peer. */
  @Override
  public void close() {
    if (state() != SessionState.FREED) {
      LibSsl.setQuietShutdown(ssl, 1);
    }
    super.close();
  }
}
