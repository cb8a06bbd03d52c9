package dev.postern.sidecar.reload;

/** What is reloaded on its own; the label is the metric's. */
public enum Part {
  IDENTITY("identity"),
  TRUST("trust"),
  POLICY("policy");

  private final String label;

  Part(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
