package dev.postern.sidecar.config;

/** Forward secrecy and AEAD only (RFC 9325 section 4.2). */
public enum CipherSuite {
  TLS_AES_128_GCM_SHA256("TLS_AES_128_GCM_SHA256"),
  TLS_AES_256_GCM_SHA384("TLS_AES_256_GCM_SHA384"),
  TLS_CHACHA20_POLY1305_SHA256("TLS_CHACHA20_POLY1305_SHA256"),
  TLS_AES_128_CCM_SHA256("TLS_AES_128_CCM_SHA256"),
  ECDHE_ECDSA_AES128_GCM_SHA256("ECDHE-ECDSA-AES128-GCM-SHA256"),
  ECDHE_RSA_AES128_GCM_SHA256("ECDHE-RSA-AES128-GCM-SHA256"),
  ECDHE_ECDSA_AES256_GCM_SHA384("ECDHE-ECDSA-AES256-GCM-SHA384"),
  ECDHE_RSA_AES256_GCM_SHA384("ECDHE-RSA-AES256-GCM-SHA384"),
  ECDHE_ECDSA_CHACHA20_POLY1305("ECDHE-ECDSA-CHACHA20-POLY1305"),
  ECDHE_RSA_CHACHA20_POLY1305("ECDHE-RSA-CHACHA20-POLY1305"),
  ECDHE_ECDSA_AES128_CCM("ECDHE-ECDSA-AES128-CCM");

  private final String policyName;

  CipherSuite(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy, and as OpenSSL takes it (man openssl-ciphers). */
  public String policyName() {
    return policyName;
  }

  /** Whether it is one of TLS 1.3 (RFC 8446 appendix B.4), of no use in TLS 1.2, or the reverse. */
  public boolean isTls13() {
    return policyName.startsWith("TLS_");
  }
}
