package dev.postern.sidecar.config;

/** Groups of the key exchange. */
public enum Group {
  /** Post-quantum, OpenSSL before 3.5 does not know it. */
  X25519MLKEM768("X25519MLKEM768"),
  X25519("X25519"),
  P_256("P-256"),
  P_384("P-384"),
  P_521("P-521");

  private final String policyName;

  Group(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy, and as OpenSSL takes it (man SSL_CTX_set1_groups_list). */
  public String policyName() {
    return policyName;
  }
}
