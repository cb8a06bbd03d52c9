package dev.postern.sidecar.tls;

import dev.postern.sidecar.openssl.Constants;

/** The versions that are spoken, by the name that a policy uses. */
public enum TlsVersion {
  TLS1_2("TLS1.2", Constants.TLS1_2_VERSION),
  TLS1_3("TLS1.3", Constants.TLS1_3_VERSION);

  private final String policyName;
  private final int number;

  TlsVersion(String policyName, int number) {
    this.policyName = policyName;
    this.number = number;
  }

  /** As written in a policy: "TLS1.2". */
  public String policyName() {
    return policyName;
  }

  /** The ProtocolVersion on the wire, and OpenSSL's number. */
  int number() {
    return number;
  }
}
