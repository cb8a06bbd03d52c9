package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Forward secrecy and AEAD only (RFC 9325 section 4.2), by the names that OpenSSL takes. */
public enum CipherSuite {
  TLS_AES_128_GCM_SHA256,
  TLS_AES_256_GCM_SHA384,
  TLS_CHACHA20_POLY1305_SHA256,
  TLS_AES_128_CCM_SHA256,
  @JsonProperty("ECDHE-ECDSA-AES128-GCM-SHA256")
  ECDHE_ECDSA_AES128_GCM_SHA256,
  @JsonProperty("ECDHE-RSA-AES128-GCM-SHA256")
  ECDHE_RSA_AES128_GCM_SHA256,
  @JsonProperty("ECDHE-ECDSA-AES256-GCM-SHA384")
  ECDHE_ECDSA_AES256_GCM_SHA384,
  @JsonProperty("ECDHE-RSA-AES256-GCM-SHA384")
  ECDHE_RSA_AES256_GCM_SHA384,
  @JsonProperty("ECDHE-ECDSA-CHACHA20-POLY1305")
  ECDHE_ECDSA_CHACHA20_POLY1305,
  @JsonProperty("ECDHE-RSA-CHACHA20-POLY1305")
  ECDHE_RSA_CHACHA20_POLY1305,
  @JsonProperty("ECDHE-ECDSA-AES128-CCM")
  ECDHE_ECDSA_AES128_CCM;

  /** Whether it is one of TLS 1.3 (RFC 8446 appendix B.4), of no use in TLS 1.2, or the reverse. */
  public boolean isTls13() {
    return name().startsWith("TLS_");
  }
}
