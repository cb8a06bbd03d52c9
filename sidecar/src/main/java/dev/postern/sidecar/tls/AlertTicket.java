package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.CustomExtension;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.NativeMemory;
import java.lang.invoke.MethodHandles;

/**
 * Makes OpenSSL send an alert of our choice on an established TLS 1.3 connection.
 *
 * <p>libssl exports no call that sends an alert. But the add callback of a custom extension may
 * refuse with an alert of its choice (man SSL_CTX_add_custom_ext(3ssl)), and in TLS 1.3 such a
 * callback runs for each NewSessionTicket. So the alert is sent by asking for a ticket and refusing
 * to write it: OpenSSL itself encrypts the alert, and no ticket leaves.
 */
final class AlertTicket {

  /** Private use (RFC 8446 section 11); it never reaches the wire. */
  private static final int EXTENSION = 0xff49;

  private static final int SKIP = 0;
  private static final int REFUSE = -1;

  /** The alert that this thread is about to send; 0: none, a real ticket may pass. */
  private static final ThreadLocal<int[]> WANTED = ThreadLocal.withInitial(() -> new int[1]);

  private static final long CALLBACK = callback();

  private AlertTicket() {}

  /** Prepares an SSL_CTX; false when OpenSSL refuses. */
  static boolean register(long ctx) {
    int context = Constants.SSL_EXT_TLS1_3_ONLY | Constants.SSL_EXT_TLS1_3_NEW_SESSION_TICKET;
    return LibSsl.ctxAddCustomExt(ctx, EXTENSION, context, CALLBACK, 0, 0, 0, 0) == 1;
  }

  /** Breaks a TLS 1.3 connection with an alert. */
  static void send(long ssl, TlsAlert alert) {
    int[] wanted = WANTED.get();
    wanted[0] = alert.description();
    try {
      if (LibSsl.newSessionTicket(ssl) == 1) {
        LibSsl.doHandshake(ssl);
      }
    } finally {
      wanted[0] = 0;
    }
  }

  /** SSL_custom_ext_add_cb_ex; every parameter as long or int, so that nothing is allocated. */
  static int addExtension(
      long ssl,
      int type,
      int context,
      long out,
      long outLength,
      long x509,
      long chainIndex,
      long alert,
      long argument) {
    int description = WANTED.get()[0];
    if (description == 0) {
      return SKIP;
    }
    NativeMemory.putInt(alert, description);
    return REFUSE;
  }

  private static long callback() {
    try {
      return CustomExtension.addCallback(
          MethodHandles.lookup()
              .findStatic(AlertTicket.class, "addExtension", CustomExtension.addCallbackType()));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("AlertTicket.addExtension", e);
    }
  }
}
