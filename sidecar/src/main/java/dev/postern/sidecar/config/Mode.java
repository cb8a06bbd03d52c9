package dev.postern.sidecar.config;

/** What a port does with plaintext. */
public enum Mode {
  /** Mutual TLS only. */
  STRICT("Strict"),
  /** Both. */
  PERMISSIVE("Permissive"),
  /** Plaintext only: the sidecar passes bytes through. */
  DISABLED("Disabled");

  private final String policyName;

  Mode(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy. */
  public String policyName() {
    return policyName;
  }
}
