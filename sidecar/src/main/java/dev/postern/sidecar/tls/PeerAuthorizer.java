package dev.postern.sidecar.tls;

/** Decides, after the handshake and again at each resumption, whether a peer may reach the app. */
@FunctionalInterface
public interface PeerAuthorizer {

  /** A pure decision with its reason. */
  Decision decide(PeerIdentity peer);

  /** What was decided about a peer; the label goes to the metric and the log. */
  enum Decision {
    ALLOWED("allowed"),
    NO_CERTIFICATE("no_certificate"),
    WRONG_TRUST_DOMAIN("wrong_trust_domain"),
    NOT_IN_POLICY("not_in_policy");

    private final String label;

    Decision(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
