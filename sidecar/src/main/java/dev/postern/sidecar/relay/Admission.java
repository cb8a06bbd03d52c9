package dev.postern.sidecar.relay;

/** What a port takes: a policy's mode as the relay sees it. */
public enum Admission {
  TLS_ONLY,
  /** The first byte decides; a client that says nothing is taken for plaintext. */
  TLS_OR_PLAINTEXT,
  PLAINTEXT_ONLY
}
