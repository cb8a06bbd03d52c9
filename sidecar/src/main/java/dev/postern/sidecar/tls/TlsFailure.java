package dev.postern.sidecar.tls;

/**
 * Why a session broke.
 *
 * @param reason a closed set, fit for a metric's label
 * @param detail OpenSSL's words, for the log only
 */
public record TlsFailure(Reason reason, String detail) {

  /** The kinds of failure that users tell apart. */
  public enum Reason {
    /** Not TLS at all: plain HTTP, junk. */
    NOT_TLS,
    /** No common version, cipher suite, group or signature algorithm. */
    NO_AGREEMENT,
    /** A client certificate is required and none came. */
    NO_CERTIFICATE,
    /** The client's certificate chains to no trust anchor. */
    UNKNOWN_CA,
    /** The client's certificate is expired, not yet valid, revoked or malformed. */
    BAD_CERTIFICATE,
    /** The peer sent a fatal alert. */
    PEER_ALERT,
    /** A record that does not decrypt, or breaks the protocol. */
    PROTOCOL_ERROR,
    /** The peer wants new keys and this kernel cannot change those it holds. */
    REKEY_UNSUPPORTED,
    /** Something failed on our side. */
    INTERNAL
  }
}
