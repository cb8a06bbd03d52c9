package dev.postern.sidecar.linux;

/**
 * What trying a feature once has shown.
 *
 * @param feature what was tried, such as {@code io_uring}
 * @param available whether it works here
 * @param reason why not, one of a bounded set of labels ({@code seccomp-denied}); empty when it
 *     works
 * @param detail the kernel's or linker's answer, for the log
 */
public record Probe(String feature, boolean available, String reason, String detail) {

  public Probe {
    assert available == reason.isEmpty() : feature + " has a reason exactly when it is missing";
  }

  public static Probe works(String feature) {
    return new Probe(feature, true, "", "");
  }

  public static Probe missing(String feature, String reason, String detail) {
    return new Probe(feature, false, reason, detail);
  }
}
