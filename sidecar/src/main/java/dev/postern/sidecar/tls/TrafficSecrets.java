package dev.postern.sidecar.tls;

import dev.postern.sidecar.ktls.KernelCipher;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.openssl.LibCrypto;
import java.nio.charset.StandardCharsets;

/**
 * One worker's memory for the application traffic secrets of its TLS 1.3 connections on kernel
 * records, and the key schedule over it (RFC 8446 sections 7.1 to 7.3).
 *
 * <p>Off the heap, kept out of core dumps, wiped when a connection ends. Belongs to one thread.
 */
public final class TrafficSecrets implements AutoCloseable {

  static final int MAX_SECRET_BYTES = 48;

  /** Of one connection: the client's secret, then the server's. */
  static final int BYTES = 2 * MAX_SECRET_BYTES;

  private static final int SHA256_BYTES = 32;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022;
  private static final int MADV_DONTDUMP = 16;
  // Scratch behind the last slot: HkdfLabel and counter, two outputs of HMAC, the crypto_info.
  private static final int LABEL_BYTES = 32;
  private static final int SCRATCH_BYTES = LABEL_BYTES + 2 * MAX_SECRET_BYTES + 64;
  private static final byte[] UPDATE = ascii("tls13 traffic upd");
  private static final byte[] KEY = ascii("tls13 key");
  private static final byte[] IV = ascii("tls13 iv");

  private final LibcSetup libc = new LibcSetup();
  private final long lengthBytes;
  private final long base;
  private final long label;
  private final long key;
  private final long nonce;
  private final long info;

  /** Room for {@code slots} connections. */
  public TrafficSecrets(int slots) {
    lengthBytes = (long) slots * BYTES + SCRATCH_BYTES;
    base = libc.mmap(0, lengthBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0);
    if (base < 0) {
      throw new IllegalStateException("cannot map memory for secrets: " + Errno.name((int) -base));
    }
    libc.madvise(base, lengthBytes, MADV_DONTDUMP);
    label = base + (long) slots * BYTES;
    key = label + LABEL_BYTES;
    nonce = key + MAX_SECRET_BYTES;
    info = nonce + MAX_SECRET_BYTES;
  }

  /** The address of a connection's secrets. */
  public long of(int slot) {
    return base + (long) slot * BYTES;
  }

  static long secret(long secrets, boolean client) {
    return client ? secrets : secrets + MAX_SECRET_BYTES;
  }

  /**
   * Moves a direction to its next secret.
   *
   * @param client whose records: the client's or the server's
   * @return the address of the crypto_info for it, until {@link #wipeInfo}
   */
  long next(long secrets, boolean client, KernelCipher cipher) {
    long secret = secret(secrets, client);
    int secretBytes = cipher.sha384() ? MAX_SECRET_BYTES : SHA256_BYTES;
    long digest = cipher.sha384() ? LibCrypto.evpSha384() : LibCrypto.evpSha256();
    expand(digest, secret, secretBytes, UPDATE, secretBytes, key);
    Memory.copy(key, secret, secretBytes);
    expand(digest, secret, secretBytes, KEY, cipher.keyBytes(), key);
    expand(digest, secret, secretBytes, IV, KernelCipher.NONCE_BYTES, nonce);
    cipher.write(info, TlsVersion.TLS1_3.number(), key, nonce);
    return info;
  }

  /** HKDF-Expand-Label with an empty context; one block of output is always enough. */
  private void expand(
      long digest, long secret, int secretBytes, byte[] text, int outBytes, long out) {
    Memory.putByte(label, (byte) 0);
    Memory.putByte(label + 1, (byte) outBytes);
    Memory.putByte(label + 2, (byte) text.length);
    Memory.copyIn(text, 0, label + 3, text.length);
    Memory.putByte(label + 3 + text.length, (byte) 0);
    Memory.putByte(label + 4 + text.length, (byte) 1);
    if (LibCrypto.hmac(digest, secret, secretBytes, label, text.length + 5L, out, 0) == 0) {
      throw new IllegalStateException("HMAC failed");
    }
  }

  void wipeInfo() {
    LibCrypto.cleanse(label, SCRATCH_BYTES);
  }

  /** Forgets a connection's secrets. */
  public void wipe(int slot) {
    LibCrypto.cleanse(of(slot), BYTES);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    LibCrypto.cleanse(label, SCRATCH_BYTES);
    libc.munmap(base, lengthBytes);
  }
}
