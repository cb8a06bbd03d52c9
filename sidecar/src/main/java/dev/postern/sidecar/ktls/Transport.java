package dev.postern.sidecar.ktls;

/** How ciphertext reaches OpenSSL; chosen at accept, before a byte is read. */
public enum Transport {
  /** OpenSSL owns the socket during the handshake, so that the kernel may take over after it. */
  DESCRIPTOR,
  /** The loop owns the socket, ciphertext passes through memory. */
  MEMORY_BIO
}
