package dev.postern.sidecar.openssl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** libssl.so.3, man section 3ssl. */
public final class LibSsl {

  private static final NativeLibrary LIBRARY = NativeLibrary.open("libssl.so.3", "libssl3");

  // const SSL_METHOD *TLS_server_method(void)
  private static final MethodHandle SERVER_METHOD =
      LIBRARY.function("TLS_server_method", JAVA_LONG);

  public static long serverMethod() {
    try {
      return (long) SERVER_METHOD.invokeExact();
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // SSL_CTX *SSL_CTX_new(const SSL_METHOD *method)
  private static final MethodHandle CTX_NEW = LIBRARY.function("SSL_CTX_new", JAVA_LONG, JAVA_LONG);

  public static long ctxNew(long method) {
    try {
      return (long) CTX_NEW.invokeExact(method);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_CTX_free(SSL_CTX *ctx)
  private static final MethodHandle CTX_FREE = LIBRARY.procedure("SSL_CTX_free", JAVA_LONG);

  public static void ctxFree(long ctx) {
    try {
      CTX_FREE.invokeExact(ctx);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // long SSL_CTX_ctrl(SSL_CTX *ctx, int cmd, long larg, void *parg)
  private static final MethodHandle CTX_CTRL =
      LIBRARY.function("SSL_CTX_ctrl", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static long ctxCtrl(long ctx, int cmd, long larg, long parg) {
    try {
      return (long) CTX_CTRL.invokeExact(ctx, cmd, larg, parg);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // uint64_t SSL_CTX_set_options(SSL_CTX *ctx, uint64_t options)
  private static final MethodHandle CTX_SET_OPTIONS =
      LIBRARY.function("SSL_CTX_set_options", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long ctxSetOptions(long ctx, long options) {
    try {
      return (long) CTX_SET_OPTIONS.invokeExact(ctx, options);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_set_cipher_list(SSL_CTX *ctx, const char *str)
  private static final MethodHandle CTX_SET_CIPHER_LIST =
      LIBRARY.function("SSL_CTX_set_cipher_list", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int ctxSetCipherList(long ctx, long str) {
    try {
      return (int) CTX_SET_CIPHER_LIST.invokeExact(ctx, str);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_set_ciphersuites(SSL_CTX *ctx, const char *str)
  private static final MethodHandle CTX_SET_CIPHERSUITES =
      LIBRARY.function("SSL_CTX_set_ciphersuites", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int ctxSetCiphersuites(long ctx, long str) {
    try {
      return (int) CTX_SET_CIPHERSUITES.invokeExact(ctx, str);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_CTX_set_verify(SSL_CTX *ctx, int mode, SSL_verify_cb verify_callback)
  private static final MethodHandle CTX_SET_VERIFY =
      LIBRARY.procedure("SSL_CTX_set_verify", JAVA_LONG, JAVA_INT, JAVA_LONG);

  public static void ctxSetVerify(long ctx, int mode, long callback) {
    try {
      CTX_SET_VERIFY.invokeExact(ctx, mode, callback);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_use_certificate(SSL_CTX *ctx, X509 *x)
  private static final MethodHandle CTX_USE_CERTIFICATE =
      LIBRARY.function("SSL_CTX_use_certificate", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int ctxUseCertificate(long ctx, long x509) {
    try {
      return (int) CTX_USE_CERTIFICATE.invokeExact(ctx, x509);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_use_PrivateKey(SSL_CTX *ctx, EVP_PKEY *pkey)
  private static final MethodHandle CTX_USE_PRIVATE_KEY =
      LIBRARY.function("SSL_CTX_use_PrivateKey", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int ctxUsePrivateKey(long ctx, long pkey) {
    try {
      return (int) CTX_USE_PRIVATE_KEY.invokeExact(ctx, pkey);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // X509_STORE *SSL_CTX_get_cert_store(const SSL_CTX *ctx)
  private static final MethodHandle CTX_GET_CERT_STORE =
      LIBRARY.function("SSL_CTX_get_cert_store", JAVA_LONG, JAVA_LONG);

  public static long ctxGetCertStore(long ctx) {
    try {
      return (long) CTX_GET_CERT_STORE.invokeExact(ctx);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_set_session_id_context(SSL_CTX *ctx, const unsigned char *sid_ctx, unsigned int
  // sid_ctx_len)
  private static final MethodHandle CTX_SET_SESSION_ID_CONTEXT =
      LIBRARY.function("SSL_CTX_set_session_id_context", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static int ctxSetSessionIdContext(long ctx, long sidCtx, int sidCtxLen) {
    try {
      return (int) CTX_SET_SESSION_ID_CONTEXT.invokeExact(ctx, sidCtx, sidCtxLen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_set_num_tickets(SSL_CTX *ctx, size_t num_tickets)
  private static final MethodHandle CTX_SET_NUM_TICKETS =
      LIBRARY.function("SSL_CTX_set_num_tickets", JAVA_INT, JAVA_LONG, JAVA_LONG);

  public static int ctxSetNumTickets(long ctx, long numTickets) {
    try {
      return (int) CTX_SET_NUM_TICKETS.invokeExact(ctx, numTickets);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_CTX_add_custom_ext(SSL_CTX *ctx, unsigned int ext_type, unsigned int context,
  // SSL_custom_ext_add_cb_ex add_cb, SSL_custom_ext_free_cb_ex free_cb, void *add_arg,
  // SSL_custom_ext_parse_cb_ex parse_cb, void *parse_arg)
  private static final MethodHandle CTX_ADD_CUSTOM_EXT =
      LIBRARY.function(
          "SSL_CTX_add_custom_ext",
          JAVA_INT,
          JAVA_LONG,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG);

  public static int ctxAddCustomExt(
      long ctx,
      int extType,
      int context,
      long addCb,
      long freeCb,
      long addArg,
      long parseCb,
      long parseArg) {
    try {
      return (int)
          CTX_ADD_CUSTOM_EXT.invokeExact(
              ctx, extType, context, addCb, freeCb, addArg, parseCb, parseArg);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // SSL *SSL_new(SSL_CTX *ctx)
  private static final MethodHandle SSL_NEW = LIBRARY.function("SSL_new", JAVA_LONG, JAVA_LONG);

  public static long sslNew(long ctx) {
    try {
      return (long) SSL_NEW.invokeExact(ctx);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_free(SSL *ssl)
  private static final MethodHandle SSL_FREE = LIBRARY.procedure("SSL_free", JAVA_LONG);

  public static void sslFree(long ssl) {
    try {
      SSL_FREE.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_set_accept_state(SSL *ssl)
  private static final MethodHandle SET_ACCEPT_STATE =
      LIBRARY.procedure("SSL_set_accept_state", JAVA_LONG);

  public static void setAcceptState(long ssl) {
    try {
      SET_ACCEPT_STATE.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_set_bio(SSL *ssl, BIO *rbio, BIO *wbio)
  private static final MethodHandle SET_BIO =
      LIBRARY.procedure("SSL_set_bio", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static void setBio(long ssl, long rbio, long wbio) {
    try {
      SET_BIO.invokeExact(ssl, rbio, wbio);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_do_handshake(SSL *ssl)
  private static final MethodHandle DO_HANDSHAKE =
      LIBRARY.function("SSL_do_handshake", JAVA_INT, JAVA_LONG);

  public static int doHandshake(long ssl) {
    try {
      return (int) DO_HANDSHAKE.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_read(SSL *ssl, void *buf, int num)
  private static final MethodHandle READ =
      LIBRARY.function("SSL_read", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static int read(long ssl, long buf, int num) {
    try {
      return (int) READ.invokeExact(ssl, buf, num);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_write(SSL *ssl, const void *buf, int num)
  private static final MethodHandle WRITE =
      LIBRARY.function("SSL_write", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  public static int write(long ssl, long buf, int num) {
    try {
      return (int) WRITE.invokeExact(ssl, buf, num);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_get_error(const SSL *ssl, int ret)
  private static final MethodHandle GET_ERROR =
      LIBRARY.function("SSL_get_error", JAVA_INT, JAVA_LONG, JAVA_INT);

  public static int getError(long ssl, int ret) {
    try {
      return (int) GET_ERROR.invokeExact(ssl, ret);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_shutdown(SSL *ssl)
  private static final MethodHandle SHUTDOWN =
      LIBRARY.function("SSL_shutdown", JAVA_INT, JAVA_LONG);

  public static int shutdown(long ssl) {
    try {
      return (int) SHUTDOWN.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_new_session_ticket(SSL *ssl)
  private static final MethodHandle NEW_SESSION_TICKET =
      LIBRARY.function("SSL_new_session_ticket", JAVA_INT, JAVA_LONG);

  public static int newSessionTicket(long ssl) {
    try {
      return (int) NEW_SESSION_TICKET.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_version(const SSL *ssl)
  private static final MethodHandle VERSION = LIBRARY.function("SSL_version", JAVA_INT, JAVA_LONG);

  public static int version(long ssl) {
    try {
      return (int) VERSION.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const SSL_CIPHER *SSL_get_current_cipher(const SSL *ssl)
  private static final MethodHandle GET_CURRENT_CIPHER =
      LIBRARY.function("SSL_get_current_cipher", JAVA_LONG, JAVA_LONG);

  public static long getCurrentCipher(long ssl) {
    try {
      return (long) GET_CURRENT_CIPHER.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // const char *SSL_CIPHER_get_name(const SSL_CIPHER *cipher)
  private static final MethodHandle CIPHER_GET_NAME =
      LIBRARY.function("SSL_CIPHER_get_name", JAVA_LONG, JAVA_LONG);

  public static long cipherGetName(long cipher) {
    try {
      return (long) CIPHER_GET_NAME.invokeExact(cipher);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_session_reused(const SSL *ssl)
  private static final MethodHandle SESSION_REUSED =
      LIBRARY.function("SSL_session_reused", JAVA_INT, JAVA_LONG);

  public static int sessionReused(long ssl) {
    try {
      return (int) SESSION_REUSED.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // long SSL_get_verify_result(const SSL *ssl)
  private static final MethodHandle GET_VERIFY_RESULT =
      LIBRARY.function("SSL_get_verify_result", JAVA_LONG, JAVA_LONG);

  public static long getVerifyResult(long ssl) {
    try {
      return (long) GET_VERIFY_RESULT.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // STACK_OF(X509) *SSL_get0_verified_chain(const SSL *ssl)
  private static final MethodHandle GET0_VERIFIED_CHAIN =
      LIBRARY.function("SSL_get0_verified_chain", JAVA_LONG, JAVA_LONG);

  public static long get0VerifiedChain(long ssl) {
    try {
      return (long) GET0_VERIFIED_CHAIN.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // SSL_SESSION *SSL_get_session(const SSL *ssl)
  private static final MethodHandle GET_SESSION =
      LIBRARY.function("SSL_get_session", JAVA_LONG, JAVA_LONG);

  public static long getSession(long ssl) {
    try {
      return (long) GET_SESSION.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // size_t SSL_SESSION_get_master_key(const SSL_SESSION *session, unsigned char *out, size_t
  // outlen)
  private static final MethodHandle SESSION_GET_MASTER_KEY =
      LIBRARY.function("SSL_SESSION_get_master_key", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long sessionGetMasterKey(long session, long out, long outlen) {
    try {
      return (long) SESSION_GET_MASTER_KEY.invokeExact(session, out, outlen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // size_t SSL_get_client_random(const SSL *ssl, unsigned char *out, size_t outlen)
  private static final MethodHandle GET_CLIENT_RANDOM =
      LIBRARY.function("SSL_get_client_random", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long getClientRandom(long ssl, long out, long outlen) {
    try {
      return (long) GET_CLIENT_RANDOM.invokeExact(ssl, out, outlen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // size_t SSL_get_server_random(const SSL *ssl, unsigned char *out, size_t outlen)
  private static final MethodHandle GET_SERVER_RANDOM =
      LIBRARY.function("SSL_get_server_random", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long getServerRandom(long ssl, long out, long outlen) {
    try {
      return (long) GET_SERVER_RANDOM.invokeExact(ssl, out, outlen);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_set_fd(SSL *ssl, int fd)
  private static final MethodHandle SET_FD =
      LIBRARY.function("SSL_set_fd", JAVA_INT, JAVA_LONG, JAVA_INT);

  public static int setFd(long ssl, int fd) {
    try {
      return (int) SET_FD.invokeExact(ssl, fd);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // BIO *SSL_get_rbio(const SSL *ssl)
  private static final MethodHandle GET_RBIO =
      LIBRARY.function("SSL_get_rbio", JAVA_LONG, JAVA_LONG);

  public static long getRbio(long ssl) {
    try {
      return (long) GET_RBIO.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // BIO *SSL_get_wbio(const SSL *ssl)
  private static final MethodHandle GET_WBIO =
      LIBRARY.function("SSL_get_wbio", JAVA_LONG, JAVA_LONG);

  public static long getWbio(long ssl) {
    try {
      return (long) GET_WBIO.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // uint64_t SSL_set_options(SSL *ssl, uint64_t options)
  private static final MethodHandle SET_OPTIONS =
      LIBRARY.function("SSL_set_options", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long setOptions(long ssl, long options) {
    try {
      return (long) SET_OPTIONS.invokeExact(ssl, options);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // uint64_t SSL_clear_options(SSL *ssl, uint64_t options)
  private static final MethodHandle CLEAR_OPTIONS =
      LIBRARY.function("SSL_clear_options", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  public static long clearOptions(long ssl, long options) {
    try {
      return (long) CLEAR_OPTIONS.invokeExact(ssl, options);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_set_read_ahead(SSL *s, int yes)
  private static final MethodHandle SET_READ_AHEAD =
      LIBRARY.procedure("SSL_set_read_ahead", JAVA_LONG, JAVA_INT);

  public static void setReadAhead(long ssl, int yes) {
    try {
      SET_READ_AHEAD.invokeExact(ssl, yes);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_has_pending(const SSL *s)
  private static final MethodHandle HAS_PENDING =
      LIBRARY.function("SSL_has_pending", JAVA_INT, JAVA_LONG);

  public static int hasPending(long ssl) {
    try {
      return (int) HAS_PENDING.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_set_quiet_shutdown(SSL *ssl, int mode)
  private static final MethodHandle SET_QUIET_SHUTDOWN =
      LIBRARY.procedure("SSL_set_quiet_shutdown", JAVA_LONG, JAVA_INT);

  public static void setQuietShutdown(long ssl, int mode) {
    try {
      SET_QUIET_SHUTDOWN.invokeExact(ssl, mode);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_get_shutdown(const SSL *ssl)
  private static final MethodHandle GET_SHUTDOWN =
      LIBRARY.function("SSL_get_shutdown", JAVA_INT, JAVA_LONG);

  public static int getShutdown(long ssl) {
    try {
      return (int) GET_SHUTDOWN.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_key_update(SSL *s, int updatetype)
  private static final MethodHandle KEY_UPDATE =
      LIBRARY.function("SSL_key_update", JAVA_INT, JAVA_LONG, JAVA_INT);

  public static int keyUpdate(long ssl, int updateType) {
    try {
      return (int) KEY_UPDATE.invokeExact(ssl, updateType);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // int SSL_get_key_update_type(const SSL *s)
  private static final MethodHandle GET_KEY_UPDATE_TYPE =
      LIBRARY.function("SSL_get_key_update_type", JAVA_INT, JAVA_LONG);

  public static int getKeyUpdateType(long ssl) {
    try {
      return (int) GET_KEY_UPDATE_TYPE.invokeExact(ssl);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  // void SSL_CTX_set_keylog_callback(SSL_CTX *ctx, SSL_CTX_keylog_cb_func cb)
  private static final MethodHandle CTX_SET_KEYLOG_CALLBACK =
      LIBRARY.procedure("SSL_CTX_set_keylog_callback", JAVA_LONG, JAVA_LONG);

  public static void ctxSetKeylogCallback(long ctx, long callback) {
    try {
      CTX_SET_KEYLOG_CALLBACK.invokeExact(ctx, callback);
    } catch (Throwable t) {
      throw NativeLibrary.broken(t);
    }
  }

  private LibSsl() {}
}
