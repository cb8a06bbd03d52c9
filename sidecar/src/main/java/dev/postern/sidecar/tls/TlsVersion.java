package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;

/** The versions that are spoken, by the name that a policy uses. */
public enum TlsVersion {
  TLS1_2("TLS1.2", "TLSv1.2", Constants.TLS1_2_VERSION),
  TLS1_3("TLS1.3", "TLSv1.3", Constants.TLS1_3_VERSION);

  private final String policyName;
  private final String label;
  private final int number;

  TlsVersion(String policyName, String label, int number) {
    this.policyName = policyName;
    this.label = label;
    this.number = number;
  }

  /** As written in a policy: "TLS1.2". */
  public String policyName() {
    return policyName;
  }

  /** As OpenSSL, logs and metrics write it: "TLSv1.2". */
  public String label() {
    return label;
  }

  /** The ProtocolVersion on the wire, and OpenSSL's number. */
  public int number() {
    return number;
  }
}
