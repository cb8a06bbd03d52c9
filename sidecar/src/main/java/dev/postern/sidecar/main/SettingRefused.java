package dev.postern.sidecar.main;

/** A setting that cannot be; the message names the variable and what it may be. Ends with 78. */
final class SettingRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SettingRefused(String variable, String value, String allowed) {
    super(variable + " is \"" + value + "\"; write " + allowed);
  }
}
