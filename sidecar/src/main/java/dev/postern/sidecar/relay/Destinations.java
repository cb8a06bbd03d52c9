package dev.postern.sidecar.relay;

import dev.postern.sidecar.linux.Sockaddr;
import java.util.Map;
import java.util.Set;

/** Decides where a connection goes: pure, from what the kernel knows of it. */
public sealed interface Destinations {

  /**
   * Where to dial, or why not.
   *
   * @param app the address to dial; null when refused
   * @param fallback dialled when {@code app} refuses; null for none
   * @param refusal null when it is to be dialled
   */
  record Destination(Sockaddr app, Sockaddr fallback, CloseReason refusal) {

    static Destination dial(Sockaddr app, Sockaddr fallback) {
      return new Destination(app, fallback, null);
    }

    static Destination refuse(CloseReason reason) {
      return new Destination(null, null, reason);
    }
  }

  /**
   * The decision.
   *
   * @param local the listening side of the accepted socket
   * @param original where the client wanted to go; null when the kernel knows none
   */
  Destination decide(Sockaddr local, Sockaddr original);

  /** True when {@link #decide} wants the original destination. */
  boolean redirected();

  /**
   * Capture by redirect: the original destination, if its port is served.
   *
   * @param served the app's ports
   * @param loopback of those, the ones that may be dialled on loopback: the user named them
   * @param ownPort the sidecar's TLS port
   */
  record Redirect(Set<Integer> served, Set<Integer> loopback, int ownPort) implements Destinations {

    private static final String LOOPBACK_4 = "127.0.0.1";
    private static final String LOOPBACK_6 = "::1";

    public Redirect {
      served = Set.copyOf(served);
      loopback = Set.copyOf(loopback);
    }

    @Override
    public Destination decide(Sockaddr local, Sockaddr original) {
      if (original == null || original.port() == ownPort) {
        return Destination.refuse(CloseReason.LOOP);
      }
      int port = original.port();
      if (!served.contains(port)) {
        return Destination.refuse(CloseReason.PORT_NOT_DECLARED);
      }
      return Destination.dial(original, loopback.contains(port) ? onLoopback(original) : null);
    }

    @Override
    public boolean redirected() {
      return true;
    }

    private static Sockaddr onLoopback(Sockaddr original) {
      boolean ipv4 = original.family() == Sockaddr.AF_INET;
      return Sockaddr.of(ipv4 ? LOOPBACK_4 : LOOPBACK_6, original.port());
    }
  }

  /**
   * Capture by ports: each listening port stands for one of the app's.
   *
   * @param apps the app's address by listening port
   */
  record Ports(Map<Integer, Sockaddr> apps) implements Destinations {

    public Ports {
      apps = Map.copyOf(apps);
    }

    @Override
    public Destination decide(Sockaddr local, Sockaddr original) {
      Sockaddr app = apps.get(local.port());
      return app == null
          ? Destination.refuse(CloseReason.PORT_NOT_DECLARED)
          : Destination.dial(app, null);
    }

    @Override
    public boolean redirected() {
      return false;
    }
  }
}
