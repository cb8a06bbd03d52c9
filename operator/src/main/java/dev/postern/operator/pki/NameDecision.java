package dev.postern.operator.pki;

/** Whether a Certificate gets the names that it asks for: all of them or none. */
public sealed interface NameDecision {

  /**
   * Granted.
   *
   * @param names the normalised names; issue exactly these
   */
  record Allowed(CertificateNames names) implements NameDecision {}

  /**
   * Refused: Ready=False, reason Denied.
   *
   * @param name the refused name as it was asked for, cut to a bearable length
   * @param why one clause that says what is possible instead
   */
  record Denied(String name, String why) implements NameDecision {
    private static final int LONGEST_SHOWN = 200;

    public Denied {
      name = name.length() > LONGEST_SHOWN ? name.substring(0, LONGEST_SHOWN) + "…" : name;
    }

    /** For the condition: {@code "name": why}. */
    public String message() {
      return '"' + name + "\": " + why;
    }
  }
}
