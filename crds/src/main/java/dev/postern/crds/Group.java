package dev.postern.crds;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Key exchange groups; the first is post-quantum and needs OpenSSL 3.5. */
public enum Group {
  X25519MLKEM768,
  X25519,
  @JsonProperty("P-256")
  P_256,
  @JsonProperty("P-384")
  P_384,
  @JsonProperty("P-521")
  P_521
}
