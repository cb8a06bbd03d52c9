package dev.postern.sidecar.openssl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** libcrypto.so.3, man section 3ssl. */
public final class LibCrypto {

  private static final NativeLibrary LIBRARY = NativeLibrary.open("libcrypto.so.3", "libssl3");

  // const char *OpenSSL_version(int what)
  private static final MethodHandle VERSION =
      LIBRARY.function("OpenSSL_version", JAVA_LONG, JAVA_INT);

  public static long version(int what) {
    try {
      return (long) VERSION.invokeExact(what);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // unsigned long OpenSSL_version_num(void)
  private static final MethodHandle VERSION_NUM =
      LIBRARY.function("OpenSSL_version_num", JAVA_LONG);

  public static long versionNum() {
    try {
      return (long) VERSION_NUM.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void ERR_clear_error(void)
  private static final MethodHandle ERR_CLEAR_ERROR = LIBRARY.procedure("ERR_clear_error");

  public static void errClearError() {
    try {
      ERR_CLEAR_ERROR.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // unsigned long ERR_get_error(void)
  private static final MethodHandle ERR_GET_ERROR = LIBRARY.function("ERR_get_error", JAVA_LONG);

  public static long errGetError() {
    try {
      return (long) ERR_GET_ERROR.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const char *ERR_reason_error_string(unsigned long e)
  private static final MethodHandle ERR_REASON_ERROR_STRING =
      LIBRARY.function("ERR_reason_error_string", JAVA_LONG, JAVA_LONG);

  public static long errReasonErrorString(long e) {
    try {
      return (long) ERR_REASON_ERROR_STRING.invokeExact(e);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // BIO *BIO_new(const BIO_METHOD *type)
  private static final MethodHandle BIO_NEW = LIBRARY.function("BIO_new", JAVA_LONG, JAVA_LONG);

  public static long bioNew(long type) {
    try {
      return (long) BIO_NEW.invokeExact(type);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const BIO_METHOD *BIO_s_mem(void)
  private static final MethodHandle BIO_SMEM = LIBRARY.function("BIO_s_mem", JAVA_LONG);

  public static long bioSMem() {
    try {
      return (long) BIO_SMEM.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // BIO *BIO_new_mem_buf(const void *buf, int len)
  private static final MethodHandle BIO_NEW_MEM_BUF =
      LIBRARY.function("BIO_new_mem_buf", JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static long bioNewMemBuf(long buf, int len) {
    try {
      return (long) BIO_NEW_MEM_BUF.invokeExact(buf, len);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int BIO_free(BIO *a)
  private static final MethodHandle BIO_FREE = LIBRARY.function("BIO_free", JAVA_INT, JAVA_LONG);

  public static int bioFree(long bio) {
    try {
      return (int) BIO_FREE.invokeExact(bio);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int BIO_read(BIO *b, void *data, int dlen)
  private static final MethodHandle BIO_READ =
      LIBRARY.function("BIO_read", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static int bioRead(long bio, long data, int dlen) {
    try {
      return (int) BIO_READ.invokeExact(bio, data, dlen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int BIO_write(BIO *b, const void *data, int dlen)
  private static final MethodHandle BIO_WRITE =
      LIBRARY.function("BIO_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static int bioWrite(long bio, long data, int dlen) {
    try {
      return (int) BIO_WRITE.invokeExact(bio, data, dlen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // size_t BIO_ctrl_pending(BIO *b)
  private static final MethodHandle BIO_CTRL_PENDING =
      LIBRARY.function("BIO_ctrl_pending", JAVA_LONG, JAVA_LONG);

  public static long bioCtrlPending(long bio) {
    try {
      return (long) BIO_CTRL_PENDING.invokeExact(bio);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // long BIO_ctrl(BIO *bp, int cmd, long larg, void *parg)
  private static final MethodHandle BIO_CTRL =
      LIBRARY.function("BIO_ctrl", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static long bioCtrl(long bio, int cmd, long larg, long parg) {
    try {
      return (long) BIO_CTRL.invokeExact(bio, cmd, larg, parg);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // BUF_MEM *BUF_MEM_new(void)
  private static final MethodHandle BUF_MEM_NEW = LIBRARY.function("BUF_MEM_new", JAVA_LONG);

  public static long bufMemNew() {
    try {
      return (long) BUF_MEM_NEW.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // EVP_PKEY *PEM_read_bio_PrivateKey(BIO *bp, EVP_PKEY **x, pem_password_cb *cb, void *u)
  private static final MethodHandle PEM_READ_BIO_PRIVATE_KEY =
      LIBRARY.function(
          "PEM_read_bio_PrivateKey", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long pemReadBioPrivateKey(long bio, long x, long cb, long u) {
    try {
      return (long) PEM_READ_BIO_PRIVATE_KEY.invokeExact(bio, x, cb, u);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void EVP_PKEY_free(EVP_PKEY *pkey)
  private static final MethodHandle EVP_PKEY_FREE = LIBRARY.procedure("EVP_PKEY_free", JAVA_LONG);

  public static void evpPkeyFree(long pkey) {
    try {
      EVP_PKEY_FREE.invokeExact(pkey);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // X509 *d2i_X509(X509 **a, const unsigned char **ppin, long length)
  private static final MethodHandle D2I_X509 =
      LIBRARY.function("d2i_X509", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long d2iX509(long a, long ppin, long length) {
    try {
      return (long) D2I_X509.invokeExact(a, ppin, length);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int i2d_X509(const X509 *a, unsigned char **ppout)
  private static final MethodHandle I2D_X509 =
      LIBRARY.function("i2d_X509", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int i2dX509(long x509, long ppout) {
    try {
      return (int) I2D_X509.invokeExact(x509, ppout);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void X509_free(X509 *a)
  private static final MethodHandle X509_FREE = LIBRARY.procedure("X509_free", JAVA_LONG);

  public static void x509Free(long x509) {
    try {
      X509_FREE.invokeExact(x509);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int X509_check_private_key(const X509 *x, const EVP_PKEY *pkey)
  private static final MethodHandle X509_CHECK_PRIVATE_KEY =
      LIBRARY.function("X509_check_private_key", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int x509CheckPrivateKey(long x509, long pkey) {
    try {
      return (int) X509_CHECK_PRIVATE_KEY.invokeExact(x509, pkey);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int X509_STORE_add_cert(X509_STORE *xs, X509 *x)
  private static final MethodHandle X509_STORE_ADD_CERT =
      LIBRARY.function("X509_STORE_add_cert", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int x509StoreAddCert(long store, long x509) {
    try {
      return (int) X509_STORE_ADD_CERT.invokeExact(store, x509);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const char *X509_verify_cert_error_string(long n)
  private static final MethodHandle X509_VERIFY_CERT_ERROR_STRING =
      LIBRARY.function("X509_verify_cert_error_string", JAVA_LONG, JAVA_LONG);

  public static long x509VerifyCertErrorString(long n) {
    try {
      return (long) X509_VERIFY_CERT_ERROR_STRING.invokeExact(n);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int OPENSSL_sk_num(const OPENSSL_STACK *st)
  private static final MethodHandle SK_NUM =
      LIBRARY.function("OPENSSL_sk_num", JAVA_INT, JAVA_LONG);

  public static int skNum(long stack) {
    try {
      return (int) SK_NUM.invokeExact(stack);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void *OPENSSL_sk_value(const OPENSSL_STACK *st, int i)
  private static final MethodHandle SK_VALUE =
      LIBRARY.function("OPENSSL_sk_value", JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static long skValue(long stack, int i) {
    try {
      return (long) SK_VALUE.invokeExact(stack, i);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const EVP_MD *EVP_sha256(void)
  private static final MethodHandle EVP_SHA256 = LIBRARY.function("EVP_sha256", JAVA_LONG);

  public static long evpSha256() {
    try {
      return (long) EVP_SHA256.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const EVP_MD *EVP_sha384(void)
  private static final MethodHandle EVP_SHA384 = LIBRARY.function("EVP_sha384", JAVA_LONG);

  public static long evpSha384() {
    try {
      return (long) EVP_SHA384.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // unsigned char *HMAC(const EVP_MD *evp_md, const void *key, int key_len, const unsigned char
  // *data, size_t data_len, unsigned char *md, unsigned int *md_len)
  private static final MethodHandle HMAC =
      LIBRARY.function(
          "HMAC", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG);

  public static long hmac(
      long md, long key, int keyLen, long data, long dataLen, long out, long outLen) {
    try {
      return (long) HMAC.invokeExact(md, key, keyLen, data, dataLen, out, outLen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void OPENSSL_cleanse(void *ptr, size_t len)
  private static final MethodHandle CLEANSE =
      LIBRARY.procedure("OPENSSL_cleanse", JAVA_LONG, JAVA_LONG);

  public static void cleanse(long ptr, long len) {
    try {
      CLEANSE.invokeExact(ptr, len);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int RAND_bytes(unsigned char *buf, int num)
  private static final MethodHandle RAND_BYTES =
      LIBRARY.function("RAND_bytes", JAVA_INT, JAVA_LONG, JAVA_INT);

  public static int randBytes(long buf, int num) {
    try {
      return (int) RAND_BYTES.invokeExact(buf, num);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // EVP_KDF *EVP_KDF_fetch(OSSL_LIB_CTX *libctx, const char *algorithm, const char *properties)
  private static final MethodHandle EVP_KDF_FETCH =
      LIBRARY.function("EVP_KDF_fetch", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long evpKdfFetch(long libctx, long algorithm, long properties) {
    try {
      return (long) EVP_KDF_FETCH.invokeExact(libctx, algorithm, properties);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void EVP_KDF_free(EVP_KDF *kdf)
  private static final MethodHandle EVP_KDF_FREE = LIBRARY.procedure("EVP_KDF_free", JAVA_LONG);

  public static void evpKdfFree(long kdf) {
    try {
      EVP_KDF_FREE.invokeExact(kdf);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // EVP_KDF_CTX *EVP_KDF_CTX_new(const EVP_KDF *kdf)
  private static final MethodHandle EVP_KDF_CTX_NEW =
      LIBRARY.function("EVP_KDF_CTX_new", JAVA_LONG, JAVA_LONG);

  public static long evpKdfCtxNew(long kdf) {
    try {
      return (long) EVP_KDF_CTX_NEW.invokeExact(kdf);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void EVP_KDF_CTX_free(EVP_KDF_CTX *ctx)
  private static final MethodHandle EVP_KDF_CTX_FREE =
      LIBRARY.procedure("EVP_KDF_CTX_free", JAVA_LONG);

  public static void evpKdfCtxFree(long ctx) {
    try {
      EVP_KDF_CTX_FREE.invokeExact(ctx);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int EVP_KDF_derive(EVP_KDF_CTX *ctx, unsigned char *key, size_t keylen, const OSSL_PARAM
  // params[])
  private static final MethodHandle EVP_KDF_DERIVE =
      LIBRARY.function("EVP_KDF_derive", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static int evpKdfDerive(long ctx, long key, long keylen, long params) {
    try {
      return (int) EVP_KDF_DERIVE.invokeExact(ctx, key, keylen, params);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *ctx, const char *algorithm, const char *properties)
  private static final MethodHandle EVP_CIPHER_FETCH =
      LIBRARY.function("EVP_CIPHER_fetch", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long evpCipherFetch(long libctx, long algorithm, long properties) {
    try {
      return (long) EVP_CIPHER_FETCH.invokeExact(libctx, algorithm, properties);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void EVP_CIPHER_free(EVP_CIPHER *cipher)
  private static final MethodHandle EVP_CIPHER_FREE =
      LIBRARY.procedure("EVP_CIPHER_free", JAVA_LONG);

  public static void evpCipherFree(long cipher) {
    try {
      EVP_CIPHER_FREE.invokeExact(cipher);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void)
  private static final MethodHandle EVP_CIPHER_CTX_NEW =
      LIBRARY.function("EVP_CIPHER_CTX_new", JAVA_LONG);

  public static long evpCipherCtxNew() {
    try {
      return (long) EVP_CIPHER_CTX_NEW.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *ctx)
  private static final MethodHandle EVP_CIPHER_CTX_FREE =
      LIBRARY.procedure("EVP_CIPHER_CTX_free", JAVA_LONG);

  public static void evpCipherCtxFree(long ctx) {
    try {
      EVP_CIPHER_CTX_FREE.invokeExact(ctx);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int cmd, int p1, void *p2)
  private static final MethodHandle EVP_CIPHER_CTX_CTRL =
      LIBRARY.function("EVP_CIPHER_CTX_ctrl", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);

  public static int evpCipherCtxCtrl(long ctx, int cmd, int p1, long p2) {
    try {
      return (int) EVP_CIPHER_CTX_CTRL.invokeExact(ctx, cmd, p1, p2);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int EVP_EncryptInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, const unsigned char *key,
  // const unsigned char *iv, const OSSL_PARAM params[])
  private static final MethodHandle EVP_ENCRYPT_INIT_EX2 =
      LIBRARY.function(
          "EVP_EncryptInit_ex2", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static int evpEncryptInitEx2(long ctx, long type, long key, long iv, long params) {
    try {
      return (int) EVP_ENCRYPT_INIT_EX2.invokeExact(ctx, type, key, iv, params);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int EVP_EncryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl, const unsigned char
  // *in, int inl)
  private static final MethodHandle EVP_ENCRYPT_UPDATE =
      LIBRARY.function(
          "EVP_EncryptUpdate", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static int evpEncryptUpdate(long ctx, long out, long outl, long in, int inl) {
    try {
      return (int) EVP_ENCRYPT_UPDATE.invokeExact(ctx, out, outl, in, inl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int EVP_EncryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
  private static final MethodHandle EVP_ENCRYPT_FINAL_EX =
      LIBRARY.function("EVP_EncryptFinal_ex", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static int evpEncryptFinalEx(long ctx, long out, long outl) {
    try {
      return (int) EVP_ENCRYPT_FINAL_EX.invokeExact(ctx, out, outl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  private LibCrypto() {}
}
