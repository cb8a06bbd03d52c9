package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.Memory;

/**
 * The AEADs that the kernel's TLS knows, with the layout of their {@code struct
 * tls12_crypto_info_*} (include/uapi/linux/tls.h).
 */
public enum KernelCipher {
  AES_128_GCM(51, 16, 8, 4, false),
  AES_256_GCM(52, 32, 8, 4, true),
  AES_128_CCM(53, 16, 8, 4, false),
  CHACHA20_POLY1305(54, 32, 12, 0, false);

  /** Length of the largest struct. */
  public static final int MAX_INFO_BYTES = 56;

  /** Length of the nonce that TLS 1.3 derives (RFC 8446 section 5.3). */
  public static final int NONCE_BYTES = 12;

  private static final int IV_OFFSET = 4;
  private static final int SEQUENCE_BYTES = 8;

  private final int number;
  private final int keyBytes;
  private final int ivBytes;
  private final int saltBytes;
  private final boolean sha384;

  KernelCipher(int number, int keyBytes, int ivBytes, int saltBytes, boolean sha384) {
    this.number = number;
    this.keyBytes = keyBytes;
    this.ivBytes = ivBytes;
    this.saltBytes = saltBytes;
    this.sha384 = sha384;
  }

  /** The AEAD of a suite by OpenSSL's name; null when the kernel knows none. */
  public static KernelCipher ofSuite(String name) {
    if (name.contains("CHACHA20")) {
      return CHACHA20_POLY1305;
    }
    if (name.contains("CCM")) {
      boolean whole = !name.contains("CCM8") && !name.contains("CCM_8");
      boolean small = name.contains("AES128") || name.contains("AES_128");
      return whole && small ? AES_128_CCM : null;
    }
    if (name.contains("AES256-GCM") || name.contains("AES_256_GCM")) {
      return AES_256_GCM;
    }
    return name.contains("AES128-GCM") || name.contains("AES_128_GCM") ? AES_128_GCM : null;
  }

  public int keyBytes() {
    return keyBytes;
  }

  /** Length of the struct in bytes. */
  public int infoBytes() {
    return IV_OFFSET + ivBytes + keyBytes + saltBytes + SEQUENCE_BYTES;
  }

  /** True when the suites with this AEAD derive with SHA-384 instead of SHA-256. */
  public boolean sha384() {
    return sha384;
  }

  /**
   * Writes the struct for the first record under a key.
   *
   * @param version ProtocolVersion, 0x0303 or 0x0304
   * @param key address of {@link #keyBytes()} bytes
   * @param nonce address of {@link #NONCE_BYTES}: salt, then IV
   */
  public void write(long info, int version, long key, long nonce) {
    Memory.putShort(info, (short) version);
    Memory.putShort(info + 2, (short) number);
    Memory.copy(nonce + saltBytes, info + IV_OFFSET, ivBytes);
    Memory.copy(key, info + IV_OFFSET + ivBytes, keyBytes);
    Memory.copy(nonce, info + IV_OFFSET + ivBytes + keyBytes, saltBytes);
    Memory.putLong(info + IV_OFFSET + ivBytes + keyBytes + saltBytes, 0);
  }
}
