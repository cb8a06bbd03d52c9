package dev.postern.sidecar.openssl;

/** Numbers of OpenSSL's public headers (ssl.h, sslerr.h, x509_vfy.h, bio.h), by their names. */
public final class Constants {

  public static final int TLS1_2_VERSION = 0x0303;
  public static final int TLS1_3_VERSION = 0x0304;

  public static final int SSL_CTRL_MODE = 33;
  public static final int SSL_CTRL_SET_READ_AHEAD = 41;
  public static final int SSL_CTRL_SET_SESS_CACHE_MODE = 44;
  public static final int SSL_CTRL_CHAIN_CERT = 89;
  public static final int SSL_CTRL_SET_GROUPS_LIST = 92;
  public static final int SSL_CTRL_SET_MIN_PROTO_VERSION = 123;
  public static final int SSL_CTRL_SET_MAX_PROTO_VERSION = 124;

  public static final int SSL_MODE_ENABLE_PARTIAL_WRITE = 0x1;
  public static final int SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER = 0x2;
  public static final int SSL_MODE_NO_AUTO_CHAIN = 0x8;
  public static final int SSL_MODE_RELEASE_BUFFERS = 0x10;

  public static final long SSL_OP_ENABLE_KTLS = 1L << 3;
  public static final long SSL_OP_NO_TICKET = 1L << 14;
  public static final long SSL_OP_NO_COMPRESSION = 1L << 17;
  public static final long SSL_OP_PRIORITIZE_CHACHA = 1L << 21;
  public static final long SSL_OP_CIPHER_SERVER_PREFERENCE = 1L << 22;
  public static final long SSL_OP_NO_RENEGOTIATION = 1L << 30;

  public static final int SSL_SESS_CACHE_OFF = 0;

  public static final int SSL_VERIFY_NONE = 0;
  public static final int SSL_VERIFY_PEER = 1;
  public static final int SSL_VERIFY_FAIL_IF_NO_PEER_CERT = 2;

  public static final int SSL_EXT_TLS1_3_ONLY = 0x0020;
  public static final int SSL_EXT_TLS1_3_NEW_SESSION_TICKET = 0x2000;

  public static final int SSL_RECEIVED_SHUTDOWN = 2;

  public static final int SSL_ERROR_SSL = 1;
  public static final int SSL_ERROR_WANT_READ = 2;
  public static final int SSL_ERROR_WANT_WRITE = 3;
  public static final int SSL_ERROR_SYSCALL = 5;
  public static final int SSL_ERROR_ZERO_RETURN = 6;

  public static final int ERR_LIB_SSL = 20;

  /** A reason of {@link #ERR_LIB_SSL} at or above this is an alert that the peer sent. */
  public static final int SSL_AD_REASON_OFFSET = 1000;

  public static final int SSL_R_NO_SUITABLE_KEY_SHARE = 101;
  public static final int SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM = 118;
  public static final int SSL_R_CERTIFICATE_VERIFY_FAILED = 134;
  public static final int SSL_R_HTTPS_PROXY_REQUEST = 155;
  public static final int SSL_R_HTTP_REQUEST = 156;
  public static final int SSL_R_NO_PROTOCOLS_AVAILABLE = 191;
  public static final int SSL_R_NO_SHARED_CIPHER = 193;
  public static final int SSL_R_PACKET_LENGTH_TOO_LONG = 198;
  public static final int SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE = 199;
  public static final int SSL_R_UNKNOWN_PROTOCOL = 252;
  public static final int SSL_R_UNSUPPORTED_PROTOCOL = 258;
  public static final int SSL_R_WRONG_VERSION_NUMBER = 267;
  public static final int SSL_R_UNEXPECTED_EOF_WHILE_READING = 294;
  public static final int SSL_R_INAPPROPRIATE_FALLBACK = 373;
  public static final int SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS = 376;
  public static final int SSL_R_VERSION_TOO_LOW = 396;
  public static final int SSL_R_NO_SHARED_GROUPS = 410;

  public static final int X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT = 2;
  public static final int X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18;
  public static final int X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN = 19;
  public static final int X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20;
  public static final int X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE = 21;
  public static final int X509_V_ERR_CERT_CHAIN_TOO_LONG = 22;
  public static final int X509_V_ERR_INVALID_CA = 79;
  public static final int X509_V_ERR_CERT_UNTRUSTED = 27;

  public static final int BIO_CLOSE = 1;
  public static final int BIO_CTRL_GET_KTLS_SEND = 73;
  public static final int BIO_CTRL_GET_KTLS_RECV = 76;
  public static final int BIO_C_SET_BUF_MEM = 114;

  public static final int EVP_CTRL_AEAD_GET_TAG = 0x10;

  private Constants() {}
}
