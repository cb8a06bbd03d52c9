package dev.postern.sidecar.tls;

/** Alerts that the sidecar itself decides to send (RFC 8446 section 6.2). */
public enum TlsAlert {
  ACCESS_DENIED(49),
  INTERNAL_ERROR(80);

  private final int description;

  TlsAlert(int description) {
    this.description = description;
  }

  /** The AlertDescription on the wire. */
  public int description() {
    return description;
  }
}
