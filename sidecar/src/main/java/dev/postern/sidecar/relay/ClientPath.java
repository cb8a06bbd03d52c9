package dev.postern.sidecar.relay;

import dev.postern.sidecar.ktls.KernelCipher;
import dev.postern.sidecar.ktls.PathReason;
import dev.postern.sidecar.ktls.RecordPath;
import dev.postern.sidecar.ktls.RecordPath.HandedOver;
import dev.postern.sidecar.ktls.RecordPath.RecordsChoice;
import dev.postern.sidecar.ktls.RecordPath.TransportChoice;
import dev.postern.sidecar.ktls.Records;
import dev.postern.sidecar.tls.DescriptorSession;
import dev.postern.sidecar.tls.KernelRecords;
import dev.postern.sidecar.tls.MemoryBioSession;
import dev.postern.sidecar.tls.PeerIdentity;
import dev.postern.sidecar.tls.SendRenewal;
import dev.postern.sidecar.tls.TlsSession;
import dev.postern.sidecar.tls.TlsVersion;

/**
 * Which path one client's bytes take, and why: chosen at accept, settled when the handshake is
 * done, owner of the session until then and of whatever follows it.
 */
final class ClientPath {

  private final Connection connection;
  private final Worker worker;
  private final int hash;
  private TransportChoice transport;
  private TlsSession session;
  private Handshaking handshaking;
  private Inbound inbound;
  private Outbound outbound;
  private Track track;
  private PathTaken taken = PathTaken.UNDECIDED;
  private boolean decided;
  private boolean kernelReceives;
  private boolean holdsSecrets;
  private PeerIdentity peer = PeerIdentity.ANONYMOUS;
  private String version = "-";
  private String cipherSuite = "-";

  ClientPath(Connection connection, int hash) {
    this.connection = connection;
    this.hash = hash & Integer.MAX_VALUE;
    worker = connection.worker;
    track = worker.counters().track(Records.OPENSSL);
  }

  void startHandshake() {
    transport = RecordPath.atAccept(worker.rules().wish(), worker.kernel(), hash);
    switch (transport.transport()) {
      case MEMORY_BIO -> {
        MemoryBioSession memory = worker.context().accept();
        MemoryStream stream = new MemoryStream(connection, memory);
        session = memory;
        outbound = stream;
        inbound = stream;
        handshaking = new MemoryHandshake(connection, memory, stream);
      }
      case DESCRIPTOR -> {
        holdsSecrets = worker.kernel().rekey();
        DescriptorSession descriptor =
            worker.context().accept(connection.client.fd(), transport.offer(), secrets());
        session = descriptor;
        outbound = new DescriptorOut(connection, descriptor);
        inbound = new DescriptorIn(connection, descriptor, null);
        handshaking = new DescriptorHandshake(connection, descriptor);
      }
    }
    handshaking.start();
  }

  private long secrets() {
    return holdsSecrets ? worker.kernelTools().secrets.of(connection.slot) : 0;
  }

  /** Keeps what the log is to say of a session that may soon be freed. */
  void learn(TlsSession done) {
    version = done.version();
    cipherSuite = done.cipherSuite();
    peer = done.peer();
  }

  /** Settles the path after the handshake; false when the socket is of no use any more. */
  boolean handOver(TlsSession done) {
    learn(done);
    RecordsChoice choice =
        switch (done) {
          case MemoryBioSession memory -> new RecordsChoice(Records.OPENSSL, transport.reason());
          case DescriptorSession descriptor -> settle(descriptor);
        };
    if (choice == null) {
      return false;
    }
    take(choice.records(), choice.reason());
    return true;
  }

  private RecordsChoice settle(DescriptorSession descriptor) {
    HandedOver done =
        new HandedOver(
            descriptor.kernelSends(),
            descriptor.kernelReceives(),
            descriptor.protocol() == TlsVersion.TLS1_3,
            descriptor.cipher());
    if (done.receives() && !done.sends()) {
      // What we would write now could go out as it is.
      return null;
    }
    if (done.sends()) {
      switchToKernel(descriptor, done);
    }
    return RecordPath.afterHandshake(transport, worker.kernel(), done);
  }

  private void switchToKernel(DescriptorSession descriptor, HandedOver done) {
    KernelRecords records =
        new KernelRecords(
            worker.kernelTools(),
            connection.client.fd(),
            descriptor.protocol(),
            done.cipher(),
            secrets(),
            worker.kernel().rekey());
    SendRenewal renewal = done.receives() ? records : descriptor;
    KernelOut out = new KernelOut(connection, records, renewal, recordLimit(done.cipher()));
    outbound = out;
    if (done.receives()) {
      kernelReceives = true;
      worker.loop().holdsRecords(connection.client.fd());
      inbound = new KernelIn(connection, records, out);
      descriptor.close();
      session = null;
    } else {
      inbound = new DescriptorIn(connection, descriptor, () -> answerKeyUpdate(records, out));
    }
  }

  private void answerKeyUpdate(KernelRecords records, KernelOut out) {
    if (records.canRenewSend()) {
      out.owe(KernelOut.Owed.KEY_UPDATE);
    } else {
      records.refuseRenewal();
      connection.protocolError(records.failure());
    }
  }

  void passPlaintext() {
    PlainStream plain = new PlainStream(connection);
    inbound = plain;
    outbound = plain;
    take(Records.NONE, PathReason.PLAINTEXT);
  }

  private void take(Records records, PathReason reason) {
    taken = worker.pathTaken(records, reason);
    track = worker.counters().track(records);
    track.live.increment();
    decided = true;
    worker.counters().fallback(reason).increment();
  }

  Handshaking handshaking() {
    return handshaking;
  }

  Inbound inbound() {
    return inbound;
  }

  Outbound outbound() {
    return outbound;
  }

  Track track() {
    return track;
  }

  boolean kernelReceives() {
    return kernelReceives;
  }

  PathTaken taken() {
    return taken;
  }

  PeerIdentity peer() {
    return peer;
  }

  String version() {
    return version;
  }

  String cipherSuite() {
    return cipherSuite;
  }

  void close() {
    if (decided) {
      track.live.add(-1);
    }
    if (session != null) {
      session.close();
    }
    if (holdsSecrets) {
      worker.kernelTools().secrets.wipe(connection.slot);
    }
  }

  /** The AEAD limits of RFC 8446 section 5.5, in records; half of them, to be early. */
  private long recordLimit(KernelCipher cipher) {
    long limit =
        switch (cipher) {
          // 2^24.5 full-size records for AES-GCM and, by the same proofs, 2^23 for CCM.
          case AES_128_GCM, AES_256_GCM -> 11_000_000;
          case AES_128_CCM -> 4_000_000;
          // The record sequence runs out first.
          case CHACHA20_POLY1305 -> Long.MAX_VALUE;
        };
    return Math.min(limit, worker.limits().recordsPerKey());
  }
}
