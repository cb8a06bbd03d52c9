package dev.postern.sidecar.config;

/** Whether a client may continue an earlier session. */
public enum Resumption {
  ON("On"),
  OFF("Off");

  private final String policyName;

  Resumption(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy. */
  public String policyName() {
    return policyName;
  }
}
