package dev.postern.sidecar.tls;

/** Changes the keys that the kernel seals with (RFC 8446 section 4.6.3). */
public interface SendRenewal {

  /**
   * Sends KeyUpdate, not asking for the peer's, under the old key, then changes ours; nothing else
   * may be in flight.
   *
   * @return 0, or -errno: -EAGAIN means that it is to be called again
   */
  int renewSend();
}
