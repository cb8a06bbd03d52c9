package dev.postern.sidecar.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;

/**
 * A private key in OpenSSL's memory; never on the Java heap.
 *
 * <p>Shared by all workers: an SSL_CTX takes its own reference. Freed, and so wiped, some time
 * after the last snapshot that holds it has gone.
 */
public final class EvpPkey {

  private static final Cleaner CLEANER = Cleaner.create();

  private final long address;

  private EvpPkey(long address) {
    this.address = address;
    CLEANER.register(this, () -> LibCrypto.evpPkeyFree(address));
  }

  /**
   * Parses the private keys of a PEM file; other blocks, as EC PARAMETERS, are skipped.
   *
   * @param pem the file's bytes in native memory; the caller wipes it
   * @return at most two keys, which is enough to tell that there is more than one; when empty,
   *     {@link ErrorQueue#take()} says why
   */
  public static List<EvpPkey> parse(MemorySegment pem) {
    ErrorQueue.clear();
    long bio = LibCrypto.bioNewMemBuf(pem.address(), Math.toIntExact(pem.byteSize()));
    // An empty pass phrase given as "u" keeps OpenSSL from asking for one on the terminal.
    try (Arena arena = Arena.ofConfined()) {
      long passPhrase = arena.allocateFrom("").address();
      List<EvpPkey> keys = new ArrayList<>();
      long key = LibCrypto.pemReadBioPrivateKey(bio, 0, 0, passPhrase);
      while (key != 0 && keys.size() < 2) {
        keys.add(new EvpPkey(key));
        key = keys.size() < 2 ? LibCrypto.pemReadBioPrivateKey(bio, 0, 0, passPhrase) : 0;
      }
      return keys;
    } finally {
      LibCrypto.bioFree(bio);
    }
  }

  /** SSL_CTX_use_PrivateKey; the SSL_CTX takes a reference. */
  public int useIn(long ctx) {
    try {
      return LibSsl.ctxUsePrivateKey(ctx, address);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** True when the certificate holds this key's public half. */
  public boolean belongsTo(byte[] certificateDer) {
    long x509 = X509.parse(certificateDer);
    try {
      ErrorQueue.clear();
      return LibCrypto.x509CheckPrivateKey(x509, address) == 1;
    } finally {
      ErrorQueue.clear();
      LibCrypto.x509Free(x509);
      Reference.reachabilityFence(this);
    }
  }
}
