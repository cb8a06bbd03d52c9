package dev.postern.operator.pki;

/** Whom an issuer's roots speak for. */
public enum IssuerScope {
  /** A ClusterIssuer: peers everywhere trust it, so names are decided. */
  CLUSTER,
  /** An Issuer: its namespace's own key, trusted by nobody else; any well-formed name. */
  NAMESPACE
}
