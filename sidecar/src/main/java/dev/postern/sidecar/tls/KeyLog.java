package dev.postern.sidecar.tls;

import dev.postern.sidecar.ktls.KernelOffer;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.KeyLogCallback;
import dev.postern.sidecar.openssl.LibSsl;
import java.lang.invoke.MethodHandles;

/**
 * OpenSSL's key log, used for two things at the very moment when a secret is made: to keep the two
 * application traffic secrets (a KeyUpdate on kernel records needs them), and to take the kernel's
 * TLS off a session whose version or direction forbids it.
 *
 * <p>A line is "LABEL client_random secret", hexadecimal, man SSL_CTX_set_keylog_callback(3ssl). It
 * is parsed from native memory to native memory; nothing of it reaches the heap.
 */
final class KeyLog {

  private static final long CLIENT = label("CLIENT_T");
  private static final long SERVER = label("SERVER_T");
  private static final int RANDOM_DIGITS = 64;
  private static final int MAX_LINE_BYTES = 256;

  /** What the session that this thread works on wants; all zero between steps. */
  private static final class Wanted {
    private KernelOffer offer = KernelOffer.NOTHING;
    private long secrets;
  }

  private static final ThreadLocal<Wanted> WANTED = ThreadLocal.withInitial(Wanted::new);
  private static final long CALLBACK = callback();

  private KeyLog() {}

  /** Prepares an SSL_CTX. */
  static void register(long ctx) {
    LibSsl.ctxSetKeylogCallback(ctx, CALLBACK);
  }

  static void enter(KernelOffer offer, long secrets) {
    Wanted wanted = WANTED.get();
    wanted.offer = offer;
    wanted.secrets = secrets;
  }

  static void leave() {
    enter(KernelOffer.NOTHING, 0);
  }

  /** SSL_CTX_keylog_cb_func; allocates nothing and throws nothing. */
  static void onLine(long ssl, long line) {
    Wanted wanted = WANTED.get();
    long label = Memory.getLong(line);
    if (wanted.offer != KernelOffer.NOTHING
        && !wanted.offer.holdsFor(
            LibSsl.version(ssl) == Constants.TLS1_3_VERSION, label == CLIENT)) {
      LibSsl.clearOptions(ssl, Constants.SSL_OP_ENABLE_KTLS);
    }
    if (wanted.secrets != 0 && (label == CLIENT || label == SERVER)) {
      keep(line, TrafficSecrets.secret(wanted.secrets, label == CLIENT));
    }
  }

  /** The secret is what stands behind the second blank. */
  private static void keep(long line, long target) {
    int at = 0;
    while (at < MAX_LINE_BYTES && Memory.getByte(line + at) != ' ') {
      at++;
    }
    long digits = line + at + 1 + RANDOM_DIGITS + 1;
    for (int i = 0; i < TrafficSecrets.MAX_SECRET_BYTES; i++) {
      int high = Character.digit(Memory.getByte(digits + 2L * i), 16);
      if (high < 0) {
        return;
      }
      int low = Character.digit(Memory.getByte(digits + 2L * i + 1), 16);
      Memory.putByte(target + i, (byte) (high << 4 | low));
    }
  }

  /** The first eight bytes as they lie in memory; CLIENT_HANDSHAKE_… and CLIENT_RANDOM differ. */
  private static long label(String eightLetters) {
    long value = 0;
    for (int i = eightLetters.length() - 1; i >= 0; i--) {
      value = value << Byte.SIZE | eightLetters.charAt(i);
    }
    return value;
  }

  private static long callback() {
    try {
      return KeyLogCallback.of(
          MethodHandles.lookup().findStatic(KeyLog.class, "onLine", KeyLogCallback.type()));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("KeyLog.onLine", e);
    }
  }
}
