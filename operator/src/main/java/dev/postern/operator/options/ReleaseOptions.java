package dev.postern.operator.options;

import dev.postern.operator.serving.ReleaseNames;
import picocli.CommandLine.Option;

/** Options of both commands; a picocli mixin. */
public final class ReleaseOptions {

  @Option(
      names = "--trust-domain",
      defaultValue = "cluster.local",
      description = "trust domain of the pods' SPIFFE identities (${DEFAULT-VALUE})")
  private String trustDomain;

  @Option(
      names = "--cluster-domain",
      defaultValue = "cluster.local",
      description = "DNS domain of Services (${DEFAULT-VALUE})")
  private String clusterDomain;

  @Option(
      names = "--default-issuer",
      defaultValue = "postern",
      description = "ClusterIssuer of the pods' own identities (${DEFAULT-VALUE})")
  private String defaultIssuer;

  @Option(
      names = "--release",
      defaultValue = "postern",
      description = "name of the release, the prefix of its objects (${DEFAULT-VALUE})")
  private String release;

  @Option(
      names = "--namespace",
      defaultValue = "${env:POD_NAMESPACE:-postern-system}",
      description = "namespace of the release (environment POD_NAMESPACE)")
  private String namespace;

  @Option(
      names = "--log-format",
      defaultValue = "text",
      description = "one of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
  private LogFormat logFormat;

  @Option(
      names = "--log-level",
      defaultValue = "info",
      description = "one of ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
  private LogLevel logLevel;

  public String trustDomain() {
    return trustDomain;
  }

  public String clusterDomain() {
    return clusterDomain;
  }

  public String defaultIssuer() {
    return defaultIssuer;
  }

  public ReleaseNames names() {
    return new ReleaseNames(namespace, release, clusterDomain);
  }

  /** Sets the process's logging as the options say. */
  public void applyLogging() {
    logFormat.apply(logLevel);
  }
}
