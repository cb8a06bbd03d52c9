package dev.postern.sidecar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.sidecar.testing.WireClient;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records cut anywhere are whole again; records that are wrong end in the alert that says so. */
@Tag("behaviour")
@ParameterizedClass(name = "{0} {1}")
@MethodSource("modes")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokenRecordTest {

  private static final int BAD_RECORD_MAC = 20;
  private static final int RECORD_OVERFLOW = 22;
  private static final int SPLITS = 40;

  @Parameter(0)
  Mode mode;

  @Parameter(1)
  String protocol;

  static Stream<Arguments> modes() {
    return Mode.withVersions();
  }

  @BeforeEach
  void assumeMode() {
    mode.assumeExists();
  }

  @Test
  void shouldSayBadRecordMacWhenARecordDoesNotDecrypt() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay)) {
      client.handshake();
      byte[] record = client.seal(new byte[100]);
      record[record.length - 1] ^= 1;
      client.send(record);
      assertThat(client.readAlert()).isEqualTo(BAD_RECORD_MAC);
      assertThat(client.socket().getInputStream().read()).as("a FIN").isEqualTo(-1);
      client.socket().close();
      assertThat(relay.nextReport().reason()).isEqualTo(CloseReason.PROTOCOL_ERROR);
    }
  }

  /** cases.md 15. */
  @Test
  void shouldSayRecordOverflowWhenARecordIsTooLong() throws Exception {
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay)) {
      client.handshake();
      client.send(new byte[] {23, 3, 3, 0x50, 0});
      client.send(new byte[0x5000]);
      assertThat(client.readAlert()).isEqualTo(RECORD_OVERFLOW);
      client.socket().close();
      assertThat(relay.nextReport().reason()).isEqualTo(CloseReason.PROTOCOL_ERROR);
    }
  }

  /** Trap 4: what follows the Finished belongs to whoever opens the records then. */
  @Test
  void shouldEchoWhatComesWithTheFinishedCutAnywhere() throws Exception {
    Random random = new Random(11);
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo)) {
      for (int i = 0; i < SPLITS; i++) {
        try (WireClient client = client(relay)) {
          byte[] sent = new byte[1 + random.nextInt(3000)];
          random.nextBytes(sent);
          byte[] wire = lastFlightAnd(client, sent);
          int cut = 1 + random.nextInt(wire.length - 1);
          client.send(Arrays.copyOf(wire, cut));
          Thread.sleep(random.nextInt(4));
          client.send(Arrays.copyOfRange(wire, cut, wire.length));
          client.handshake();
          if ("TLSv1.2".equals(protocol)) {
            client.write(sent);
          }
          assertThat(client.read(sent.length)).as("cut at " + cut).isEqualTo(sent);
        }
      }
    }
  }

  /** TLS 1.2 may send nothing before the server's Finished. */
  private byte[] lastFlightAnd(WireClient client, byte[] sent) throws Exception {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    wire.writeBytes(client.handshakeButForTheLastFlight());
    if ("TLSv1.3".equals(protocol)) {
      wire.writeBytes(client.seal(sent));
    }
    return wire.toByteArray();
  }

  /** Trap 6: Finished, request, close_notify and FIN in one go; the answer must arrive. */
  @Test
  void shouldAnswerAClientThatHasSaidAllAndEnded() throws Exception {
    byte[] request = new byte[2000];
    new Random(3).nextBytes(request);
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        WireClient client = client(relay)) {
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      if ("TLSv1.3".equals(protocol)) {
        wire.writeBytes(client.handshakeButForTheLastFlight());
      } else {
        client.handshake();
      }
      wire.writeBytes(client.seal(request));
      wire.writeBytes(client.closeNotify());
      client.send(wire.toByteArray());
      client.socket().shutdownOutput();
      assertThat(client.readToEnd()).isEqualTo(request);
    }
  }

  private WireClient client(RelayHarness relay) throws Exception {
    return new WireClient(
        relay.dial(), RelayHarness.CLIENT, "TLSv1.3".equals(protocol) ? 0x0304 : 0x0303);
  }
}
