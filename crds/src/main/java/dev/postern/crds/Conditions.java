package dev.postern.crds;

/** Condition types and reasons that stand in statuses; cert-manager's where it has one. */
public final class Conditions {

  /** Every kind: it does what its spec says. */
  public static final String READY = "Ready";

  /** Certificate: a new one is wanted and not there yet. */
  public static final String ISSUING = "Issuing";

  /** TLSPolicy: an older policy of the same rank is in force for some of its pods. */
  public static final String CONFLICTED = "Conflicted";

  /** Issuer: the CA's certificate and key were read and belong together. */
  public static final String KEY_PAIR_VERIFIED = "KeyPairVerified";

  /** Issuer: the CA's Secret is not there. */
  public static final String ERR_GET_KEY_PAIR = "ErrGetKeyPair";

  /** Issuer: what is in the CA's Secret is no CA. */
  public static final String ERR_INVALID_KEY_PAIR = "ErrInvalidKeyPair";

  /** Issuer of kind selfSigned: nothing to check. */
  public static final String IS_READY = "IsReady";

  /** Certificate: issued just now. */
  public static final String ISSUED = "Issued";

  /** Certificate: a name that this namespace may not have from this issuer, or isCA. */
  public static final String DENIED = "Denied";

  /** Certificate, TLSPolicy: a field that cannot be used. */
  public static final String INVALID_SPEC = "InvalidSpec";

  /** Certificate: its Secret belongs to somebody else. */
  public static final String CONFLICT = "Conflict";

  /** Certificate: no such issuer. */
  public static final String ISSUER_NOT_FOUND = "IssuerNotFound";

  /** Certificate: the issuer cannot sign now. */
  public static final String ISSUER_NOT_READY = "IssuerNotReady";

  /** TLSPolicy: pods are under it. */
  public static final String IN_FORCE = "InForce";

  /** TLSPolicy: no injected pod is under it. */
  public static final String NO_PODS = "NoPods";

  private Conditions() {}
}
