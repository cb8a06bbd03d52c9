package dev.postern.sidecar.config;

/** How the app is told the client's address (haproxy's proxy-protocol.txt). */
public enum ProxyProtocol {
  OFF("Off"),
  V2("V2");

  private final String policyName;

  ProxyProtocol(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy. */
  public String policyName() {
    return policyName;
  }
}
