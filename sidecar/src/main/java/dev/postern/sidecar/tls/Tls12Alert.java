package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.LibSsl;
import dev.postern.sidecar.openssl.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Seals a fatal alert for an established TLS 1.2 connection.
 *
 * <p>libssl exports no call that sends an alert, and TLS 1.2 has no message after the handshake
 * whose making we could refuse (see {@link AlertTicket}). So the one record is made here, from what
 * libssl does give out: the master secret and both randoms. Only AEAD suites are spoken, so there
 * are two forms: GCM (RFC 5288) and ChaCha20-Poly1305 (RFC 7905). All secrets stay in native memory
 * and are wiped. Nothing may be written through the SSL afterwards.
 */
final class Tls12Alert {

  private static final int MASTER_SECRET_BYTES = 48;
  private static final int RANDOM_BYTES = 32;
  private static final int TAG_BYTES = 16;
  private static final int HEADER_BYTES = 5;
  private static final int ALERT_BYTES = 2;
  private static final byte FATAL = 2;
  private static final byte CONTENT_TYPE_ALERT = 21;
  private static final ValueLayout.OfLong BE_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort BE_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** What a suite's name says about keys and nonces. */
  private enum Suite {
    AES128("AES-128-GCM", "SHA256", 16, 4, 8),
    AES256("AES-256-GCM", "SHA384", 32, 4, 8),
    CHACHA("ChaCha20-Poly1305", "SHA256", 32, 12, 0);

    private final String cipher;
    private final String digest;
    private final int keyBytes;
    private final int ivBytes;
    private final int explicitNonceBytes;

    Suite(String cipher, String digest, int keyBytes, int ivBytes, int explicitNonceBytes) {
      this.cipher = cipher;
      this.digest = digest;
      this.keyBytes = keyBytes;
      this.ivBytes = ivBytes;
      this.explicitNonceBytes = explicitNonceBytes;
    }

    static Suite of(String name) {
      if (name.contains("CHACHA20")) {
        return CHACHA;
      }
      return name.contains("AES256") ? AES256 : AES128;
    }
  }

  private Tls12Alert() {}

  /**
   * Puts the record into the BIO of outgoing ciphertext.
   *
   * @param recordsWritten records of application data that were written so far
   */
  static void send(long ssl, long bio, TlsAlert alert, long recordsWritten) {
    Suite suite = Suite.of(NativeMemory.string(LibSsl.cipherGetName(LibSsl.getCurrentCipher(ssl))));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = keyBlock(ssl, suite, arena);
      try {
        // Our Finished was record 0 of this direction.
        MemorySegment sealed = seal(suite, keys, alert, recordsWritten + 1, arena);
        LibCrypto.bioWrite(bio, sealed.address(), (int) sealed.byteSize());
      } finally {
        LibCrypto.cleanse(keys.address(), keys.byteSize());
      }
    }
  }

  /**
   * key_block = PRF(master_secret, "key expansion", server_random + client_random), RFC 5246 6.3.
   */
  private static MemorySegment keyBlock(long ssl, Suite suite, Arena arena) {
    MemorySegment master = arena.allocate(MASTER_SECRET_BYTES);
    MemorySegment seed = arena.allocate("key expansion".length() + 2L * RANDOM_BYTES);
    long label = "key expansion".length();
    MemorySegment.copy(arena.allocateFrom("key expansion"), 0, seed, 0, label);
    LibSsl.getServerRandom(ssl, seed.address() + label, RANDOM_BYTES);
    LibSsl.getClientRandom(ssl, seed.address() + label + RANDOM_BYTES, RANDOM_BYTES);
    LibSsl.sessionGetMasterKey(LibSsl.getSession(ssl), master.address(), MASTER_SECRET_BYTES);
    MemorySegment block = arena.allocate(2L * (suite.keyBytes + suite.ivBytes));
    long kdf = LibCrypto.evpKdfFetch(0, arena.allocateFrom("TLS1-PRF").address(), 0);
    long context = LibCrypto.evpKdfCtxNew(kdf);
    try {
      OsslParams params = new OsslParams(arena, 3);
      params.text("digest", suite.digest);
      params.octets("secret", master);
      params.octets("seed", seed);
      check(
          LibCrypto.evpKdfDerive(context, block.address(), block.byteSize(), params.address()),
          "TLS1-PRF");
      return block;
    } finally {
      LibCrypto.cleanse(master.address(), MASTER_SECRET_BYTES);
      LibCrypto.evpKdfCtxFree(context);
      LibCrypto.evpKdfFree(kdf);
    }
  }

  private static MemorySegment seal(
      Suite suite, MemorySegment keyBlock, TlsAlert alert, long sequence, Arena arena) {
    int bodyBytes = suite.explicitNonceBytes + ALERT_BYTES + TAG_BYTES;
    MemorySegment sealed = arena.allocate(HEADER_BYTES + (long) bodyBytes);
    header(sealed, 0, bodyBytes);
    MemorySegment nonce = nonce(suite, keyBlock, sequence, arena);
    MemorySegment.copy(nonce, suite.ivBytes, sealed, HEADER_BYTES, suite.explicitNonceBytes);
    MemorySegment aad = arena.allocate(8 + (long) HEADER_BYTES);
    aad.set(BE_LONG, 0, sequence);
    header(aad, 8, ALERT_BYTES);
    MemorySegment plain = arena.allocate(ALERT_BYTES);
    plain.set(ValueLayout.JAVA_BYTE, 0, FATAL);
    plain.set(ValueLayout.JAVA_BYTE, 1, (byte) alert.description());
    long key = keyBlock.address() + suite.keyBytes;
    long out = sealed.address() + HEADER_BYTES + suite.explicitNonceBytes;
    encrypt(suite, key, nonce, aad, plain, out, arena);
    return sealed;
  }

  private static void header(MemorySegment target, long offset, int lengthBytes) {
    target.set(ValueLayout.JAVA_BYTE, offset, CONTENT_TYPE_ALERT);
    target.set(BE_SHORT, offset + 1, (short) Constants.TLS1_2_VERSION);
    target.set(BE_SHORT, offset + 3, (short) lengthBytes);
  }

  /** Server write IV and, for GCM, an explicit part drawn at random: one record, so never twice. */
  private static MemorySegment nonce(
      Suite suite, MemorySegment keyBlock, long sequence, Arena arena) {
    MemorySegment nonce = arena.allocate(suite.ivBytes + (long) suite.explicitNonceBytes);
    long serverIv = 2L * suite.keyBytes + suite.ivBytes;
    MemorySegment.copy(keyBlock, serverIv, nonce, 0, suite.ivBytes);
    if (suite.explicitNonceBytes > 0) {
      check(
          LibCrypto.randBytes(nonce.address() + suite.ivBytes, suite.explicitNonceBytes),
          "RAND_bytes");
    } else {
      nonce.set(BE_LONG, 4, nonce.get(BE_LONG, 4) ^ sequence);
    }
    return nonce;
  }

  private static void encrypt(
      Suite suite,
      long key,
      MemorySegment nonce,
      MemorySegment aad,
      MemorySegment plain,
      long out,
      Arena arena) {
    long cipher = LibCrypto.evpCipherFetch(0, arena.allocateFrom(suite.cipher).address(), 0);
    long context = LibCrypto.evpCipherCtxNew();
    long length = arena.allocate(ValueLayout.JAVA_INT).address();
    try {
      check(LibCrypto.evpEncryptInitEx2(context, cipher, key, nonce.address(), 0), suite.cipher);
      check(
          LibCrypto.evpEncryptUpdate(context, 0, length, aad.address(), (int) aad.byteSize()),
          "additional data");
      check(
          LibCrypto.evpEncryptUpdate(context, out, length, plain.address(), ALERT_BYTES), "alert");
      check(LibCrypto.evpEncryptFinalEx(context, out + ALERT_BYTES, length), "final");
      check(
          LibCrypto.evpCipherCtxCtrl(
              context, Constants.EVP_CTRL_AEAD_GET_TAG, TAG_BYTES, out + ALERT_BYTES),
          "tag");
    } finally {
      LibCrypto.evpCipherCtxFree(context);
      LibCrypto.evpCipherFree(cipher);
    }
  }

  private static void check(int result, String what) {
    if (result != 1) {
      throw new IllegalStateException("cannot seal an alert: " + what);
    }
  }
}
