package dev.postern.crds;

/** Group, version and the names that stand on objects. */
public final class Api {

  public static final String GROUP = "postern.dev";
  public static final String VERSION = "v1alpha1";

  /** Label on an injected pod: the workload that owns it. */
  public static final String WORKLOAD_LABEL = GROUP + "/workload";

  /** Label, on a namespace, and annotation, on a pod: the switch. */
  public static final String INJECT = GROUP + "/inject";

  /** Annotation on a pod: the TLSPolicy by name. */
  public static final String POLICY = GROUP + "/policy";

  /** Annotation on a pod: the Certificate by name. */
  public static final String CERTIFICATE = GROUP + "/certificate";

  /** Annotation that the operator writes on an injected pod. */
  public static final String STATUS = GROUP + "/status";

  /** Annotation on a key Secret: the UID of the Certificate that it belongs to. */
  public static final String CERTIFICATE_UID = GROUP + "/certificate-uid";

  public static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";
  public static final String MANAGED_BY = "postern";

  /** Data keys of ConfigMaps. */
  public static final String POLICY_KEY = "v1.json";

  public static final String BUNDLE_KEY = "bundle.json";
  public static final String BUNDLE_PEM_KEY = "ca.pem";

  /** ConfigMap with the trust bundle, one in each namespace with injected pods. */
  public static final String TRUST_CONFIG_MAP = "postern-trust";

  private Api() {}

  /** Secret and Certificate of a workload's own identity. */
  public static String identityName(String workload) {
    return "postern-id-" + workload;
  }

  /** ConfigMap with a workload's resolved policy. */
  public static String policyName(String workload) {
    return "postern-policy-" + workload;
  }
}
