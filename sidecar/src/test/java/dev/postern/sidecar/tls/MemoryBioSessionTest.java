package dev.postern.sidecar.tls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.testing.TestSnapshots;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The session against OpenSSL as the client, byte by byte. */
class MemoryBioSessionTest {

  private static final TestPki ROOT = TestPki.root("root");
  private static final TestIdentity SERVER = ROOT.leaf("spiffe://cluster.local/ns/shop/sa/web");
  private static final TestIdentity CLIENT = ROOT.leaf("spiffe://cluster.local/ns/shop/sa/cart");
  private static final int PLAIN_BYTES = 64 * 1024;
  private static final int ALERT_OFFSET = 1000;
  private static final int BAD_RECORD_MAC = 20;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment plain = arena.allocate(PLAIN_BYTES);
  private final long address = plain.address();
  private final TlsContext context = newContext();

  private static TlsContext newContext() {
    return new TlsContext(
        TestSnapshots.serverIdentity(SERVER),
        List.of(TestSnapshots.anchor(ROOT, "cluster.local")),
        new TlsParameters(TlsVersion.TLS1_2, ClientCertificate.REQUIRED));
  }

  @AfterEach
  void close() {
    context.close();
    arena.close();
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldWaitForTheRestWhenClientHelloIsSplitAtAnyByte(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version)) {
      client.handshake();
      int length = client.take();

      for (int split = 1; split < length; split++) {
        try (MemoryBioSession session = context.accept()) {
          session.feed(client.wire(), split);
          assertThat(session.handshake()).as("at %d", split).isEqualTo(TlsSession.Step.WANT_INPUT);
          assertThat(session.undrainedBytes()).as("at %d", split).isZero();
          session.feed(client.wire() + split, length - split);
          assertThat(session.handshake()).as("at %d", split).isEqualTo(TlsSession.Step.WANT_INPUT);
          assertThat(session.undrainedBytes()).as("at %d", split).isGreaterThan(500);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldFinishAndReadWhenEveryByteComesAlone(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      TlsSession.Step step = TlsSession.Step.WANT_INPUT;
      boolean done = false;
      while (!done || step == TlsSession.Step.WANT_INPUT) {
        done = client.handshake();
        for (int n = client.take(), i = 0; i < n; i++) {
          session.feed(client.wire() + i, 1);
          step = session.handshake();
        }
        client.receiveAll(session);
      }
      assertThat(step).isEqualTo(TlsSession.Step.DONE);

      client.write(address, 100);
      int length = client.take();
      for (int i = 0; i < length - 1; i++) {
        session.feed(client.wire() + i, 1);
        assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(TlsSession.WANT_INPUT);
      }
      session.feed(client.wire() + length - 1, 1);
      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldReadWhatCameWithTheFinished(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      boolean done = false;
      while (!done) {
        done = client.handshake();
        if (!done) {
          client.sendAll(session);
          session.handshake();
          client.receiveAll(session);
        }
      }
      client.write(address, 100);
      client.sendAll(session);
      if (version == TlsVersion.TLS1_3) {
        assertThat(session.handshake()).isEqualTo(TlsSession.Step.DONE);
      }

      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldStillWriteWhenThePeerHasClosedItsSide(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      client.handshake(session);
      client.closeNotify();
      client.sendAll(session);
      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(TlsSession.CLOSE_NOTIFY);

      assertThat(session.write(address, PLAIN_BYTES)).isEqualTo(PLAIN_BYTES);
      session.closeNotify();
      client.receiveAll(session);

      int received = 0;
      for (int n = client.read(address, PLAIN_BYTES);
          n > 0;
          n = client.read(address, PLAIN_BYTES)) {
        received += n;
      }
      assertThat(received).isEqualTo(PLAIN_BYTES);
      assertThat(client.read(address, PLAIN_BYTES)).as("close_notify").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldStillReadWhenWeHaveClosedOurSide(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      client.handshake(session);
      session.closeNotify();
      client.write(address, 10);
      client.sendAll(session);

      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(10);
      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(TlsSession.WANT_INPUT);
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldAlertWhenARecordDoesNotDecrypt(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      client.handshake(session);
      client.write(address, 100);
      int length = client.take();
      MemorySegment record = client.wireSegment(length);
      byte last = record.get(ValueLayout.JAVA_BYTE, length - 1);
      record.set(ValueLayout.JAVA_BYTE, length - 1, (byte) ~last);
      session.feed(client.wire(), length);

      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(TlsSession.FAILED);
      assertThat(session.failure().reason()).isEqualTo(TlsFailure.Reason.PROTOCOL_ERROR);
      client.receiveAll(session);
      assertThat(client.read(address, PLAIN_BYTES)).isEqualTo(-1 - ALERT_OFFSET - BAD_RECORD_MAC);
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldAlertInSequenceWhenDataWentBefore(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      client.handshake(session);
      session.write(address, 40_000);
      session.alert(TlsAlert.INTERNAL_ERROR);
      client.receiveAll(session);

      int received = 0;
      int n;
      for (n = client.read(address, PLAIN_BYTES); n > 0; n = client.read(address, PLAIN_BYTES)) {
        received += n;
      }
      assertThat(received).isEqualTo(40_000);
      assertThat(n).isEqualTo(-1 - ALERT_OFFSET - TlsAlert.INTERNAL_ERROR.description());
      assertThat(session.write(address, 1)).isEqualTo(TlsSession.FAILED);
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldGoOnWhenTrimmedBetweenAndAmidRecords(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      client.handshake(session);
      session.trim();
      client.write(address, 16_384);
      int length = client.take();
      session.feed(client.wire(), 1_000);
      session.trim();
      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(TlsSession.WANT_INPUT);
      session.trim();
      session.feed(client.wire() + 1_000, length - 1_000);

      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(16_384);
      session.write(address, 16_384);
      session.trim();
      client.receiveAll(session);
      assertThat(client.read(address, PLAIN_BYTES)).isEqualTo(16_384);
    }
  }

  @Test
  void shouldHoldLittleWhenIdleSessionsAreTrimmed() throws IOException {
    int count = 400;
    List<NativeClient> clients = new ArrayList<>();
    List<MemoryBioSession> sessions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new NativeClient(CLIENT, TlsVersion.TLS1_3));
      sessions.add(context.accept());
      clients.get(i).handshake(sessions.get(i));
      sessions.get(i).trim();
    }
    long before = residentKib();

    for (MemoryBioSession session : sessions) {
      session.write(address, PLAIN_BYTES);
      while (session.drain(address, PLAIN_BYTES) > 0) {}
      session.trim();
    }

    // Untrimmed, each would hold 85 KiB, 34 MiB in all.
    assertThat(residentKib() - before).as("KiB").isLessThan(4 * 1024);
    sessions.forEach(TlsSession::close);
    clients.forEach(NativeClient::close);
  }

  @Test
  void shouldGoOnWhenItsContextIsClosed() {
    TlsContext old = newContext();
    try (NativeClient client = new NativeClient(CLIENT, TlsVersion.TLS1_3);
        MemoryBioSession session = old.accept()) {
      old.close();
      client.handshake(session);
      client.write(address, 100);
      client.sendAll(session);

      assertThat(session.read(address, PLAIN_BYTES)).isEqualTo(100);
    }
  }

  @Test
  void shouldTellThePeersAlertFromOurOwnFailure() {
    try (NativeClient client = new NativeClient(CLIENT, TlsVersion.TLS1_3);
        MemoryBioSession session = context.accept()) {
      client.handshake();
      client.sendAll(session);
      session.handshake();
      // A plaintext alert bad_certificate, as a client sends that does not trust the server.
      byte[] alert = {21, 3, 3, 0, 2, 2, 42};
      MemorySegment.copy(alert, 0, plain, ValueLayout.JAVA_BYTE, 0, alert.length);
      session.feed(address, alert.length);

      assertThat(session.handshake()).isEqualTo(TlsSession.Step.FAILED);
      assertThat(session.failure().reason()).isEqualTo(TlsFailure.Reason.PEER_ALERT);
    }
  }

  @ParameterizedTest
  @EnumSource(TlsVersion.class)
  void shouldAllocateNothingWhenHalfAMillionRecordsPass(TlsVersion version) {
    try (NativeClient client = new NativeClient(CLIENT, version);
        MemoryBioSession session = context.accept()) {
      client.handshake(session);
      pump(client, session, 150_000);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      threads.getCurrentThreadAllocatedBytes();
      long before = threads.getCurrentThreadAllocatedBytes();

      int echoed = pump(client, session, 250_000);

      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
      assertThat(echoed).isEqualTo(250_000);
    }
  }

  /** Each turn is one record in and one out; returns the turns whose bytes came back. */
  private int pump(NativeClient client, MemoryBioSession session, int turns) {
    int echoed = 0;
    for (int i = 0; i < turns; i++) {
      client.write(address, 256);
      client.sendAll(session);
      int bytes = session.read(address, PLAIN_BYTES);
      session.write(address, bytes);
      client.receiveAll(session);
      if (client.read(address, PLAIN_BYTES) == 256) {
        echoed++;
      }
    }
    return echoed;
  }

  @Test
  void shouldGiveAllNativeMemoryBackWhenContextsAndSessionsClose() throws IOException {
    cycle(200);
    long before = residentKib();

    cycle(1_000);

    assertThat(residentKib() - before).as("KiB").isLessThan(24 * 1024);
  }

  private void cycle(int times) {
    for (int i = 0; i < times; i++) {
      try (TlsContext own = newContext();
          NativeClient client = new NativeClient(CLIENT, TlsVersion.TLS1_3);
          MemoryBioSession session = own.accept()) {
        client.handshake(session);
        session.alert(TlsAlert.ACCESS_DENIED);
        client.receiveAll(session);
        assertThat(client.read(address, PLAIN_BYTES))
            .isEqualTo(-1 - ALERT_OFFSET - TlsAlert.ACCESS_DENIED.description());
      }
    }
  }

  private static long residentKib() throws IOException {
    System.gc();
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
