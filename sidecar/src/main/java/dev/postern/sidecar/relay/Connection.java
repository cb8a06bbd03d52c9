package dev.postern.sidecar.relay;

import static dev.postern.sidecar.relay.ConnectionState.CLOSED;
import static dev.postern.sidecar.relay.ConnectionState.CLOSING;
import static dev.postern.sidecar.relay.ConnectionState.CONNECTING;
import static dev.postern.sidecar.relay.ConnectionState.HANDSHAKING;
import static dev.postern.sidecar.relay.ConnectionState.PEEKING;
import static dev.postern.sidecar.relay.ConnectionState.RELAYING;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.tls.PeerAuthorizer.Decision;
import dev.postern.sidecar.tls.TlsAlert;
import dev.postern.sidecar.tls.TlsFailure;
import dev.postern.sidecar.tls.TlsSession;
import java.util.function.IntConsumer;

/**
 * One connection from accept to close: its state, and who is asked what in it.
 *
 * <p>The two sockets are {@link Endpoint}s, the directions {@link FromClient} and {@link FromApp},
 * the client's path {@link ClientPath}, the end {@link Farewell}. Belongs to the worker's thread.
 */
final class Connection {

  /** A TLS record's first byte when it opens a handshake (RFC 8446 section 5.1). */
  private static final byte HANDSHAKE_RECORD = 22;

  final Worker worker;
  final int slot;
  final long generation;
  final Endpoint client;
  final Endpoint app;
  final FromClient fromClient;
  final FromApp fromApp;
  final ClientPath path;
  private final Farewell farewell;
  private final AppDialling dialling;
  private final long acceptedNs;
  private final String clientAddress;
  private final Destinations.Destination destination;
  private final Admission admission;
  private ConnectionState state = PEEKING;
  private boolean peeking;
  private boolean rested;
  private long deadlineNs;
  private CloseReason reason;
  private String detail = "";

  Connection(Worker worker, int slot, long generation, int clientFd, Admission admission) {
    this.worker = worker;
    this.slot = slot;
    this.generation = generation;
    this.admission = admission;
    acceptedNs = worker.nowNs();
    client = new Endpoint(this, clientFd, Operation.CLIENT_RECV, Operation.CLIENT_SEND);
    app = new Endpoint(this, Endpoint.NO_FD, Operation.APP_RECV, Operation.APP_SEND);
    fromClient = new FromClient(this);
    fromApp = new FromApp(this);
    farewell = new Farewell(this);
    Sockaddr remote = worker.sockets().remote(clientFd);
    clientAddress = remote == null ? "-" : remote.toString();
    destination = worker.destinationOf(clientFd);
    dialling = new AppDialling(this, destination);
    path = new ClientPath(this, clientAddress.hashCode());
  }

  // ---- the way in

  void start() {
    if (destination.refusal() != null) {
      close(destination.refusal(), "");
    } else {
      admit();
    }
    farewell.advance();
  }

  private void admit() {
    switch (admission) {
      case TLS_ONLY -> startHandshake();
      case TLS_OR_PLAINTEXT -> {
        deadlineNs = worker.nowNs() + worker.limits().firstByteNs();
        peek();
      }
      case PLAINTEXT_ONLY -> connectApp();
    }
  }

  private void peek() {
    peeking = true;
    worker.loop().poll(client.fd(), Endpoint.POLLIN, token(Operation.CLIENT_PEEK));
  }

  private void peeked(int result) {
    peeking = false;
    if (state != PEEKING || result == -Errno.ECANCELED) {
      return;
    }
    int bytes = worker.sockets().peek(client.fd());
    if (bytes == -Errno.EAGAIN) {
      peek();
    } else if (bytes <= 0) {
      farewell.clientIsGone();
      close(CloseReason.CLIENT_CLOSED, "");
    } else if (worker.sockets().peeked() == HANDSHAKE_RECORD) {
      startHandshake();
    } else {
      connectApp();
    }
  }

  private void startHandshake() {
    become(HANDSHAKING);
    deadlineNs = acceptedNs + worker.limits().handshakeNs();
    worker.handshakeStarted();
    path.startHandshake();
  }

  /** The peer is authenticated; whether it may come in is decided here, before the app hears. */
  void handshakeDone(TlsSession session) {
    worker.handshakeEnded(session, ageNs());
    Decision decision = worker.authorize(session.peer());
    if (decision != Decision.ALLOWED) {
      path.learn(session);
      session.alert(TlsAlert.ACCESS_DENIED);
      close(CloseReason.PEER_REFUSED, decision.label());
    } else if (path.handOver(session)) {
      connectApp();
    } else {
      farewell.clientIsGone();
      close(CloseReason.INTERNAL, "the kernel took one direction only");
    }
  }

  void handshakeFailed(TlsFailure failure) {
    worker.handshakeFailed(failure.reason());
    close(CloseReason.HANDSHAKE_FAILED, failure.reason() + ": " + failure.detail());
  }

  void handshakeAborted(String why) {
    farewell.clientIsGone();
    close(CloseReason.HANDSHAKE_ABORTED, why);
  }

  private void connectApp() {
    become(CONNECTING);
    if (path.inbound() == null) {
      path.passPlaintext();
    }
    deadlineNs = worker.nowNs() + worker.limits().connectNs();
    dialling.start();
  }

  void appConnected() {
    become(RELAYING);
    touch();
    fromApp.start();
    fromClient.start();
  }

  // ---- completions

  void complete(Operation operation, int result, int buffer) {
    switch (operation) {
      case CLIENT_PEEK -> peeked(result);
      case CLIENT_RECV -> {
        client.receiveCompleted();
        clientReceived(result, buffer);
      }
      case CLIENT_SEND -> {
        client.sendCompleted();
        path.outbound().sent(result);
      }
      case APP_CONNECT -> dialling.completed(result);
      case APP_RECV -> {
        app.receiveCompleted();
        appReceived(result, buffer);
      }
      case APP_SEND -> {
        app.sendCompleted();
        appSent(result);
      }
      case ACCEPT -> throw new AssertionError("accepts belong to the worker");
    }
    farewell.advance();
  }

  private void clientReceived(int result, int buffer) {
    switch (state) {
      case HANDSHAKING -> {
        if (result != -Errno.ECANCELED) {
          path.handshaking().received(result, buffer);
        }
      }
      case RELAYING -> {
        touch();
        path.inbound().completed(result, buffer);
      }
      case CLOSING -> farewell.received(result, buffer);
      case PEEKING, CONNECTING, CLOSED -> throw new AssertionError(state);
    }
  }

  private void appReceived(int result, int buffer) {
    if (state == RELAYING) {
      touch();
      fromApp.completed(result, buffer);
    } else {
      worker.releaseIfAny(buffer);
    }
  }

  private void appSent(int result) {
    if (state == RELAYING) {
      touch();
      fromClient.sent(result);
    } else {
      worker.release(app.sending().end());
    }
  }

  /** A send to the client has completed; true when all of its buffer has gone. */
  boolean sentWhole(int result) {
    Sending sending = client.sending();
    if (result < 0 || !farewell.clientListens()) {
      worker.release(sending.end());
      if (result < 0) {
        clientGone(-result);
      }
      return false;
    }
    sending.sent(result);
    if (sending.leftBytes() > 0) {
      worker.countRetry();
      client.sendRest();
      return false;
    }
    return true;
  }

  /** Everything for the client has been handed to the kernel. */
  void clientFlushed() {
    switch (state) {
      case HANDSHAKING -> path.handshaking().flushed();
      case RELAYING -> {
        touch();
        fromApp.flushed();
      }
      case PEEKING, CONNECTING, CLOSING, CLOSED -> {}
    }
  }

  // ---- what the directions use

  Inbound inbound() {
    return path.inbound();
  }

  Outbound outbound() {
    return path.outbound();
  }

  Track track() {
    return path.track();
  }

  /** Lends a buffer to {@code use}, now or when one has come back. */
  void withBuffer(IntConsumer use) {
    int buffer = worker.acquire();
    if (buffer == BufferPool.NONE) {
      worker.whenBufferIsFree(this, use);
    } else {
      use.accept(buffer);
    }
  }

  void directionEnded() {
    if (fromClient.ended() && fromApp.ended()) {
      close(
          fromClient.endedBefore(fromApp) ? CloseReason.CLIENT_CLOSED : CloseReason.APP_CLOSED, "");
    }
  }

  /**
   * The client's socket is broken: nothing can be told to it, and the app must not take it for an
   * end.
   */
  void clientGone(int errno) {
    farewell.clientIsGone();
    app.resetOnClose();
    close(CloseReason.CLIENT_RESET, errno == 0 ? "" : Errno.name(errno));
  }

  /** FIN without close_notify: an attacker may have cut the stream, so the app sees a reset. */
  void clientTruncated() {
    if (fromApp.ended()) {
      // The client has heard our close_notify: many answer it with a FIN alone.
      fromClient.ended(BufferPool.NONE);
      return;
    }
    farewell.clientIsGone();
    app.resetOnClose();
    close(CloseReason.TRUNCATED, "FIN without close_notify");
  }

  /** The app reset: the client must not take it for an end either. */
  void appGone(int errno) {
    client.resetOnClose();
    farewell.clientIsGone();
    close(CloseReason.APP_RESET, Errno.name(errno));
  }

  void protocolError(TlsFailure failure) {
    app.resetOnClose();
    boolean rekey = failure.reason() == TlsFailure.Reason.REKEY_UNSUPPORTED;
    close(
        rekey ? CloseReason.REKEY_UNSUPPORTED : CloseReason.PROTOCOL_ERROR,
        failure.reason() + ": " + failure.detail());
  }

  // ---- the way out

  /** Names the reason, once, and begins to close. */
  void close(CloseReason why, String detail) {
    if (state == CLOSING) {
      return;
    }
    become(CLOSING);
    reason = why;
    this.detail = detail;
    deadlineNs = worker.nowNs() + worker.limits().lingerNs();
    if (peeking) {
      worker.loop().cancel(token(Operation.CLIENT_PEEK));
    }
    dialling.cancel();
    farewell.begin();
  }

  /** Ends a live connection from our side. */
  void end(CloseReason why) {
    boolean relayed = state == RELAYING;
    app.resetOnClose();
    close(why, "");
    if (relayed) {
      path.outbound().closeNotify();
    }
    farewell.advance();
  }

  /** A fault in our own code: this connection ends, the others go on. */
  void broken(RuntimeException fault) {
    farewell.clientIsGone();
    app.resetOnClose();
    close(CloseReason.INTERNAL, fault.toString());
    farewell.advance();
  }

  /** True when an operation besides those of the two sockets is in flight. */
  boolean peeksOrDials() {
    return peeking || dialling.inFlight();
  }

  void closed() {
    become(CLOSED);
    path.close();
    worker.closed(this);
  }

  // ---- time

  boolean isDue(long nowNs) {
    return leftNs(nowNs) <= 0;
  }

  long leftNs(long nowNs) {
    return deadlineNs - nowNs;
  }

  void deadline() {
    switch (state) {
      case PEEKING -> {
        worker.loop().cancel(token(Operation.CLIENT_PEEK));
        connectApp();
      }
      case HANDSHAKING -> close(CloseReason.HANDSHAKE_TIMEOUT, "");
      case CONNECTING -> close(CloseReason.APP_TIMEOUT, "connect " + dialling.address());
      case RELAYING -> end(CloseReason.IDLE);
      // The client had its time: what it has not read by now it may lose.
      case CLOSING -> farewell.cutShort();
      case CLOSED -> throw new AssertionError(state);
    }
    farewell.advance();
  }

  private void touch() {
    deadlineNs = worker.nowNs() + worker.limits().idleNs();
    rested = false;
  }

  /** An idle connection gives back memory that it can do without. */
  void rest(long nowNs) {
    boolean idle = worker.limits().idleNs() - leftNs(nowNs) >= worker.limits().trimNs();
    if (state == RELAYING && !rested && idle) {
      path.inbound().rest();
      rested = true;
    }
  }

  long ageNs() {
    return worker.nowNs() - acceptedNs;
  }

  // ---- small things

  ConnectionState state() {
    return state;
  }

  CloseReason reason() {
    return reason;
  }

  ConnectionReport report() {
    return new ConnectionReport(
        clientAddress,
        dialling.address(),
        state,
        path.version(),
        path.cipherSuite(),
        path.peer(),
        path.taken(),
        fromClient.bytes(),
        fromApp.bytes(),
        ageNs(),
        reason,
        detail);
  }

  private void become(ConnectionState next) {
    assert state.mayBecome(next) : state + " -> " + next;
    if (state == HANDSHAKING) {
      worker.handshakeOver();
    }
    state = next;
  }

  long token(Operation operation) {
    return operation.token(slot, generation);
  }
}
