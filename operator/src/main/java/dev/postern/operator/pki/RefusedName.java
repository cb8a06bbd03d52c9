package dev.postern.operator.pki;

/** One requested name cannot be granted; becomes {@link NameDecision.Denied}. */
final class RefusedName extends Exception {
  private static final long serialVersionUID = 1L;

  private final String name;

  RefusedName(String name, String why) {
    super(why);
    this.name = name;
  }

  NameDecision.Denied denied() {
    return new NameDecision.Denied(name, getMessage());
  }
}
