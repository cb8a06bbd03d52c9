package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;
import dev.postern.sidecar.openssl.ErrorQueue;
import dev.postern.sidecar.openssl.LibCrypto;
import dev.postern.sidecar.openssl.NativeMemory;

/** From OpenSSL's errors to the kinds of failure that users tell apart. */
final class FailureReasons {

  private static final long X509_V_OK = 0;

  private FailureReasons() {}

  /**
   * Classifies a failed call.
   *
   * @param error the oldest entry of the error queue
   * @param verifyResult SSL_get_verify_result, X509_V_OK where no certificate was refused
   */
  static TlsFailure classify(ErrorQueue.Entry error, long verifyResult) {
    if (error.isSsl(Constants.SSL_R_CERTIFICATE_VERIFY_FAILED) && verifyResult != X509_V_OK) {
      return new TlsFailure(
          ofVerifyResult((int) verifyResult),
          NativeMemory.string(LibCrypto.x509VerifyCertErrorString(verifyResult)));
    }
    return new TlsFailure(ofError(error), error.toString());
  }

  private static TlsFailure.Reason ofError(ErrorQueue.Entry error) {
    if (error.library() != Constants.ERR_LIB_SSL) {
      // Decryption and parsing report as other libraries: the peer's bytes are the cause.
      return TlsFailure.Reason.PROTOCOL_ERROR;
    }
    if (error.reason() > Constants.SSL_AD_REASON_OFFSET) {
      return TlsFailure.Reason.PEER_ALERT;
    }
    return ofSslReason(error.reason());
  }

  private static TlsFailure.Reason ofSslReason(int reason) {
    return switch (reason) {
      case Constants.SSL_R_HTTP_REQUEST,
          Constants.SSL_R_HTTPS_PROXY_REQUEST,
          Constants.SSL_R_WRONG_VERSION_NUMBER,
          Constants.SSL_R_UNKNOWN_PROTOCOL,
          Constants.SSL_R_PACKET_LENGTH_TOO_LONG ->
          TlsFailure.Reason.NOT_TLS;
      case Constants.SSL_R_UNSUPPORTED_PROTOCOL,
          Constants.SSL_R_VERSION_TOO_LOW,
          Constants.SSL_R_NO_PROTOCOLS_AVAILABLE,
          Constants.SSL_R_INAPPROPRIATE_FALLBACK,
          Constants.SSL_R_NO_SHARED_CIPHER,
          Constants.SSL_R_NO_SHARED_GROUPS,
          Constants.SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS,
          Constants.SSL_R_NO_SUITABLE_KEY_SHARE,
          Constants.SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM ->
          TlsFailure.Reason.NO_AGREEMENT;
      case Constants.SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE -> TlsFailure.Reason.NO_CERTIFICATE;
      case Constants.SSL_R_CERTIFICATE_VERIFY_FAILED -> TlsFailure.Reason.BAD_CERTIFICATE;
      default -> TlsFailure.Reason.PROTOCOL_ERROR;
    };
  }

  private static TlsFailure.Reason ofVerifyResult(int result) {
    return switch (result) {
      case Constants.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
          Constants.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
          Constants.X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
          Constants.X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
          Constants.X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
          Constants.X509_V_ERR_CERT_CHAIN_TOO_LONG,
          Constants.X509_V_ERR_CERT_UNTRUSTED,
          Constants.X509_V_ERR_INVALID_CA ->
          TlsFailure.Reason.UNKNOWN_CA;
      default -> TlsFailure.Reason.BAD_CERTIFICATE;
    };
  }
}
