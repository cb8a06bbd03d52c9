package dev.postern.sidecar.tls;

/** Whether clients must show a certificate; one that is shown must always be valid. */
public enum ClientCertificate {
  REQUIRED("Required"),
  OPTIONAL("Optional"),
  NONE("None");

  private final String policyName;

  ClientCertificate(String policyName) {
    this.policyName = policyName;
  }

  /** As written in a policy. */
  public String policyName() {
    return policyName;
  }
}
