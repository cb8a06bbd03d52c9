package dev.postern.operator.inject;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the administrator decided for every sidecar.
 *
 * @param sidecarImage image reference of both containers
 * @param imagePullPolicy Always, IfNotPresent or Never
 * @param seccompProfile of the sidecar: RuntimeDefault, Unconfined or Localhost/PATH
 * @param cpuRequest Kubernetes quantity, as are the two that follow
 * @param memoryRequest bytes
 * @param memoryLimit bytes
 * @param trustDomain of the pods' SPIFFE identities
 * @param version of this operator, as postern.dev/status shows it
 */
public record InjectionSettings(
    String sidecarImage,
    String imagePullPolicy,
    String seccompProfile,
    String cpuRequest,
    String memoryRequest,
    String memoryLimit,
    String trustDomain,
    String version) {

  private static final Set<String> PULL_POLICIES = Set.of("Always", "IfNotPresent", "Never");
  private static final Pattern SECCOMP =
      Pattern.compile("RuntimeDefault|Unconfined|Localhost/[A-Za-z0-9._/-]+");

  /**
   * @throws IllegalArgumentException naming the option that is wrong and what it may be
   */
  public InjectionSettings {
    require(!sidecarImage.isBlank(), "--sidecar-image: an image reference is needed");
    require(
        PULL_POLICIES.contains(imagePullPolicy),
        "--image-pull-policy: " + imagePullPolicy + " is not Always, IfNotPresent or Never");
    require(
        SECCOMP.matcher(seccompProfile).matches(),
        "--seccomp-profile: "
            + seccompProfile
            + " is not RuntimeDefault, Unconfined or Localhost/PATH");
    require(Quantity.isValid(cpuRequest), quantity("--sidecar-cpu-request", cpuRequest));
    require(Quantity.isValid(memoryRequest), quantity("--sidecar-memory-request", memoryRequest));
    require(Quantity.isValid(memoryLimit), quantity("--sidecar-memory-limit", memoryLimit));
    require(
        Quantity.compare(memoryRequest, memoryLimit) <= 0,
        "--sidecar-memory-request: " + memoryRequest + " is more than the limit " + memoryLimit);
  }

  private static String quantity(String option, String value) {
    return option + ": " + value + " is not a Kubernetes quantity such as 10m or 64Mi";
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
