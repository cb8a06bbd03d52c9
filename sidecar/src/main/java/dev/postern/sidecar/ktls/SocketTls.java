package dev.postern.sidecar.ktls;

/** Numbers of the kernel's TLS sockets (include/uapi/linux/tls.h, include/uapi/linux/tcp.h). */
final class SocketTls {

  static final int IPPROTO_TCP = 6;
  static final int TCP_ULP = 31;
  static final int SOL_TLS = 282;
  static final int TLS_TX = 1;
  static final int TLS_RX = 2;
  static final int TLS_RX_EXPECT_NO_PAD = 4;

  /** Control messages: the record's type, one byte. */
  static final int TLS_SET_RECORD_TYPE = 1;

  static final int TLS_GET_RECORD_TYPE = 2;

  private SocketTls() {}
}
