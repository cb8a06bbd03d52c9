package dev.postern.sidecar.main;

import dev.postern.sidecar.admin.AppProbe;
import dev.postern.sidecar.admin.ProbeList;
import dev.postern.sidecar.io.IoChoice;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.relay.Destinations;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the environment says; fixed for the life of the process.
 *
 * @param destinations where connections go
 * @param listenPorts TLS ports
 * @param adminPort health, metrics and probes
 * @param workers threads; 0: as many as CPUs
 * @param io which backend
 * @param podAddress own address, for probes
 * @param runFolder identity, trust, policy and the control socket
 * @param probes of the app, by index
 */
record Settings(
    Destinations destinations,
    List<Integer> listenPorts,
    int adminPort,
    int workers,
    IoChoice.Wanted io,
    LogLevel logLevel,
    InetAddress podAddress,
    Path runFolder,
    List<AppProbe> probes) {

  private static final int MAX_WORKERS = 64;

  /**
   * Reads the environment.
   *
   * @throws SettingRefused for the first wrong variable
   */
  static Settings from(Map<String, String> environment) {
    Variables variables = new Variables(environment);
    int tlsPort = variables.port("POSTERN_TLS_PORT", 15443);
    Capture capture = capture(variables, tlsPort);
    return new Settings(
        capture.destinations,
        capture.listenPorts,
        variables.port("POSTERN_ADMIN_PORT", 15090),
        variables.number("POSTERN_WORKERS", 0, 0, MAX_WORKERS),
        variables.parsed("POSTERN_IO", "auto", IoChoice.Wanted::parse),
        variables.parsed("POSTERN_LOG_LEVEL", "info", LogLevel::parse),
        variables.address("POSTERN_POD_IP", "127.0.0.1"),
        Path.of(variables.text("POSTERN_RUN_DIR", "/var/run/postern")),
        variables.parsed("POSTERN_PROBES", "[]", ProbeList::parse));
  }

  private record Capture(Destinations destinations, List<Integer> listenPorts) {}

  private static Capture capture(Variables variables, int tlsPort) {
    String word = variables.text("POSTERN_CAPTURE", "redirect");
    return switch (word) {
      case "redirect" -> {
        Set<Integer> served = variables.ports("POSTERN_PORTS");
        Set<Integer> loopback = variables.ports("POSTERN_LOOPBACK_PORTS");
        yield new Capture(new Destinations.Redirect(served, loopback, tlsPort), List.of(tlsPort));
      }
      case "ports" -> {
        Map<Integer, Sockaddr> apps = listen(variables);
        yield new Capture(new Destinations.Ports(apps), List.copyOf(new TreeSet<>(apps.keySet())));
      }
      default -> throw new SettingRefused("POSTERN_CAPTURE", word, "redirect or ports");
    };
  }

  /** "15443=8080,15444=9090": listening port = the app's port. */
  private static Map<Integer, Sockaddr> listen(Variables variables) {
    InetAddress app = variables.address("POSTERN_APP_ADDRESS", "127.0.0.1");
    String text = variables.text("POSTERN_LISTEN", "");
    Map<Integer, Sockaddr> apps = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      String[] ports = pair.split("=", -1);
      if (ports.length != 2) {
        throw new SettingRefused("POSTERN_LISTEN", text, "pairs such as 15443=8080,15444=9090");
      }
      apps.put(
          Variables.port("POSTERN_LISTEN", ports[0]),
          new Sockaddr(app, Variables.port("POSTERN_LISTEN", ports[1])));
    }
    return apps;
  }
}
