package dev.postern.sidecar.tls;

/** Alerts that the sidecar itself decides to send (RFC 8446 section 6.2). */
public enum TlsAlert {
  UNEXPECTED_MESSAGE(10),
  BAD_RECORD_MAC(20),
  RECORD_OVERFLOW(22),
  ILLEGAL_PARAMETER(47),
  ACCESS_DENIED(49),
  DECODE_ERROR(50),
  PROTOCOL_VERSION(70),
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
