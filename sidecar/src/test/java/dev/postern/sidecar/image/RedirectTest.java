package dev.postern.sidecar.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code postern-redirect} as the init container runs it, in a network namespace that stands for
 * the pod, with two interfaces, both address families, and a neighbour outside.
 */
class RedirectTest {

  private static final Path SCRIPT = Path.of("image", "postern-redirect");
  private static final int NO_NFTABLES = 77;

  /** $1 the script; the rest is how to start a {@link NamespacePeer}. */
  private static final String TWO_NAMESPACES =
      """
      set -eu
      script=$1; shift
      unshare --net sleep 60 & pod=$!
      trap 'kill $pod $peers' EXIT
      peers=
      until [ "$(readlink /proc/$pod/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.02; done
      inside() { nsenter --net=/proc/$pod/ns/net "$@"; }
      for i in 0 1; do
        ip link add out$i type veth peer name eth$i netns $pod
        ip addr add 192.0.$((2 + i)).1/24 dev out$i
        ip -6 addr add 2001:db8:$i::1/64 dev out$i nodad
        ip link set out$i up
        inside ip addr add 192.0.$((2 + i)).2/24 dev eth$i
        inside ip -6 addr add 2001:db8:$i::2/64 dev eth$i nodad
        inside ip link set eth$i up
      done
      inside ip link set lo up
      inside nft 'add table inet probe; add chain inet probe c { type nat hook prerouting priority 0; }' || exit 77
      inside env POSTERN_UDP_PORTS=53 sh "$script" >&2

      nsenter --net=/proc/$pod/ns/net "$@" serve tcp:15443 tcp:15090 tcp:8080 tcp:7777 udp:53 udp:9999 >/dev/null & peers=$!
      "$@" serve udp:5353 tcp:8443 >/dev/null & peers="$peers $!"
      sleep 1
      "$@" dial tcp:192.0.2.2:8080 tcp:192.0.2.2:7777 tcp:192.0.2.2:6666 tcp:192.0.2.2:15090 tcp:192.0.3.2:8080 \\
        tcp:2001:db8:0::2:8080 tcp:2001:db8:1::2:7777 \\
        udp:192.0.2.2:53 udp:192.0.2.2:9999 udp:2001:db8:0::2:53 udp:2001:db8:0::2:9999
      inside "$@" dial tcp:192.0.2.2:8080 tcp:127.0.0.1:7777 tcp:2001:db8:0::2:8080 udp:192.0.2.1:5353 tcp:192.0.2.1:8443
      """;

  @Test
  void shouldTurnEverythingFromOutsideToTheSidecarAndNothingFromInside()
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("unshare", "--map-root-user", "--net", "sh", "-c", TWO_NAMESPACES));
    command.addAll(List.of("sh", SCRIPT.toAbsolutePath().toString()));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            NamespacePeer.class.getName()));
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "no unshare here");
    Ran ran = run(new ProcessBuilder(command));
    Assumptions.assumeFalse(
        ran.status == NO_NFTABLES || ran.errors.contains("unshare failed"),
        "no nftables here: " + ran.errors);

    assertThat(ran.output.lines())
        .as(ran.errors)
        .containsExactly(
            "tcp:192.0.2.2:8080 -> 15443",
            "tcp:192.0.2.2:7777 -> 15443",
            "tcp:192.0.2.2:6666 -> 15443",
            "tcp:192.0.2.2:15090 -> 15090",
            "tcp:192.0.3.2:8080 -> 15443",
            "tcp:2001:db8:0::2:8080 -> 15443",
            "tcp:2001:db8:1::2:7777 -> 15443",
            "udp:192.0.2.2:53 -> 53",
            "udp:192.0.2.2:9999 -> nobody",
            "udp:2001:db8:0::2:53 -> 53",
            "udp:2001:db8:0::2:9999 -> nobody",
            "tcp:192.0.2.2:8080 -> 8080",
            "tcp:127.0.0.1:7777 -> 7777",
            "tcp:2001:db8:0::2:8080 -> 8080",
            "udp:192.0.2.1:5353 -> 5353",
            "tcp:192.0.2.1:8443 -> 8443");
  }

  @ParameterizedTest
  @ValueSource(strings = {"53; reboot", "0", "65536", "1000000", "53,,54", "$(id)", "-1"})
  void shouldRefuseBeforeAskingNftWhenAPortIsNone(String ports)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT.toString());
    builder.environment().put("POSTERN_UDP_PORTS", ports);
    Ran ran = run(builder);
    assertThat(ran.status).isEqualTo(78);
    assertThat(ran.errors).contains("POSTERN_UDP_PORTS").contains("write a port from 1 to 65535");
  }

  @Test
  void shouldFailWhenTheRulesAreNotThereAfterwards() throws IOException, InterruptedException {
    Path nft = Files.createTempDirectory("nft").resolve("nft");
    Files.writeString(nft, "#!/bin/sh\ncat >/dev/null\necho 'table inet postern { }'\n");
    assertThat(nft.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT.toString());
    builder.environment().put("PATH", nft.getParent() + ":" + System.getenv("PATH"));
    Ran ran =
        run(builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile())));
    assertThat(ran.status).isEqualTo(1);
    assertThat(ran.errors).contains("not in force although nft took it");
  }

  private record Ran(int status, String output, String errors) {}

  private static Ran run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("redirect", ".err");
    Process process = builder.redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), output, Files.readString(errors));
  }
}
