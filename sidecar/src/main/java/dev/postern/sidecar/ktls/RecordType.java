package dev.postern.sidecar.ktls;

/** TLS record types (RFC 8446 section 5.1), as the kernel's control messages carry them. */
public final class RecordType {

  public static final int ALERT = 21;
  public static final int HANDSHAKE = 22;
  public static final int APPLICATION_DATA = 23;

  private RecordType() {}
}
