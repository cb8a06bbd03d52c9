package dev.postern.sidecar.ktls;

import java.util.Locale;

/** Who is to seal the records, as a policy says it. */
public enum RecordsWanted {
  /** The kernel where behaviour stays the same, else OpenSSL. */
  AUTO,
  /** The kernel wherever it can; a KeyUpdate it cannot follow ends the connection. */
  KERNEL,
  /** The kernel for records to the client only. */
  KERNEL_TX,
  OPENSSL,
  /** OpenSSL, owning the socket: slower, kept to measure against; no policy names it. */
  OPENSSL_DESCRIPTOR;

  /** The policy's word: "kernel-tx". */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * From a policy's word.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static RecordsWanted parse(String word) {
    for (RecordsWanted wanted : values()) {
      if (wanted.word().equals(word)) {
        return wanted;
      }
    }
    throw new IllegalArgumentException(
        "records is \"" + word + "\"; write auto, kernel, kernel-tx or openssl");
  }
}
