package dev.postern.sidecar.relay;

import static dev.postern.sidecar.relay.ConnectionState.CLOSED;
import static dev.postern.sidecar.relay.ConnectionState.CLOSING;
import static dev.postern.sidecar.relay.ConnectionState.CONNECTING;
import static dev.postern.sidecar.relay.ConnectionState.HANDSHAKING;
import static dev.postern.sidecar.relay.ConnectionState.PEEKING;
import static dev.postern.sidecar.relay.ConnectionState.RELAYING;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import dev.postern.sidecar.tls.PeerAuthorizer.Decision;
import dev.postern.sidecar.tls.PeerIdentity;
import dev.postern.sidecar.tls.TlsAlert;
import dev.postern.sidecar.tls.TlsFailure;
import dev.postern.sidecar.tls.TlsSession;

/**
 * One connection from accept to close: its state, its two sockets, what is in flight on them.
 *
 * <p>The directions are {@link FromClient} and {@link FromApp}; this class moves the state on, and
 * owns sockets and session. Belongs to the worker's thread.
 */
final class Connection {

  /** A TLS record's first byte when it opens a handshake (RFC 8446 section 5.1). */
  private static final byte HANDSHAKE_RECORD = 22;

  private static final int NO_FD = -1;

  final Worker worker;
  final int slot;
  final long generation;
  final long acceptedNs;
  final FromClient fromClient;
  final FromApp fromApp;

  private final int clientFd;
  private final String client;
  private final Destinations.Destination destination;
  private final Admission admission;
  private int appFd = NO_FD;
  private Sockaddr dialled;
  private TlsSession session;
  private ConnectionState state = PEEKING;
  private boolean clientOpen = true;
  private int inFlight;
  private long deadlineNs;
  private PeerIdentity peer = PeerIdentity.ANONYMOUS;
  private String version = "-";
  private String cipherSuite = "-";
  private CloseReason reason;
  private String detail = "";
  private boolean finSent;
  private boolean trimmed;

  /** Bytes that were read while peeking, kept until the app is connected. */
  private int peekedBuffer = BufferPool.NONE;

  private int peekedBytes;

  Connection(Worker worker, int slot, long generation, int clientFd, Admission admission) {
    this.worker = worker;
    this.slot = slot;
    this.generation = generation;
    this.clientFd = clientFd;
    this.admission = admission;
    acceptedNs = worker.nowNs();
    fromClient = new FromClient(this);
    fromApp = new FromApp(this);
    Sockets sockets = worker.sockets();
    Sockaddr remote = sockets.remote(clientFd);
    client = remote == null ? "-" : remote.toString();
    destination = worker.destinationOf(clientFd);
  }

  // ---- the way in

  void start() {
    if (destination.refusal() != null) {
      close(destination.refusal(), "");
    } else {
      admit();
    }
    advanceClosing();
  }

  private void admit() {
    switch (admission) {
      case TLS_ONLY -> {
        become(HANDSHAKING);
        startHandshake();
        recvFromClient();
      }
      case TLS_OR_PLAINTEXT -> {
        deadlineNs = worker.nowNs() + worker.limits().firstByteNs();
        recvFromClient();
      }
      case PLAINTEXT_ONLY -> connectApp(destination.app());
    }
  }

  private void startHandshake() {
    session = worker.newSession();
    deadlineNs = acceptedNs + worker.limits().handshakeNs();
    worker.handshakeStarted();
  }

  private void peeked(int buffer, int bytes) {
    if (Memory.getByte(worker.address(buffer)) == HANDSHAKE_RECORD) {
      become(HANDSHAKING);
      startHandshake();
      handshakeInput(buffer, bytes);
    } else {
      peekedBuffer = buffer;
      peekedBytes = bytes;
      connectApp(destination.app());
    }
  }

  private void handshakeInput(int buffer, int bytes) {
    session.feed(worker.address(buffer), bytes);
    TlsSession.Step step = session.handshake();
    if (step == TlsSession.Step.DONE) {
      handshakeDone();
    } else if (step == TlsSession.Step.FAILED) {
      handshakeFailed();
    }
    flush(buffer);
  }

  private void handshakeDone() {
    version = session.version();
    cipherSuite = session.cipherSuite();
    peer = session.peer();
    worker.handshakeEnded(session, worker.nowNs() - acceptedNs);
    Decision decision = worker.authorize(peer);
    if (decision == Decision.ALLOWED) {
      become(CONNECTING);
      connectApp(destination.app());
    } else {
      session.alert(TlsAlert.ACCESS_DENIED);
      close(CloseReason.PEER_REFUSED, decision.label());
    }
  }

  private void handshakeFailed() {
    TlsFailure failure = session.failure();
    worker.handshakeFailed(failure.reason());
    close(CloseReason.HANDSHAKE_FAILED, failure.reason() + ": " + failure.detail());
  }

  private void connectApp(Sockaddr app) {
    if (state != CONNECTING) {
      become(CONNECTING);
    }
    deadlineNs = worker.nowNs() + worker.limits().connectNs();
    dialled = app;
    appFd = worker.sockets().open(app.family());
    if (appFd < 0) {
      int error = -appFd;
      appFd = NO_FD;
      close(CloseReason.OVERLOAD, "socket: " + Errno.name(error));
      return;
    }
    worker.sockets().noDelay(appFd);
    long sockaddr = worker.sockaddrOf(slot);
    int bytes = app.write(sockaddr);
    begin(Operation.APP_CONNECT);
    worker.loop().connect(appFd, sockaddr, bytes, token(Operation.APP_CONNECT));
  }

  private void appConnected(int result) {
    if (state == CLOSING) {
      closeApp(false);
    } else if (result == 0) {
      startRelay();
    } else if (result == -Errno.ECONNREFUSED && canFallBack()) {
      worker.loop().close(appFd);
      connectApp(destination.fallback());
    } else {
      close(CloseReason.APP_REFUSED, "connect " + dialled + ": " + Errno.name(-result));
    }
  }

  private boolean canFallBack() {
    return destination.fallback() != null && !dialled.equals(destination.fallback());
  }

  private void startRelay() {
    become(RELAYING);
    touch();
    fromApp.start();
    if (peekedBuffer != BufferPool.NONE) {
      int buffer = peekedBuffer;
      peekedBuffer = BufferPool.NONE;
      fromClient.received(buffer, peekedBytes);
    } else {
      fromClient.start();
    }
  }

  // ---- completions

  void complete(Operation operation, int result, int buffer) {
    inFlight &= ~operation.bit();
    switch (operation) {
      case CLIENT_RECV -> clientReceived(result, buffer);
      case CLIENT_SEND -> clientSent(result);
      case APP_CONNECT -> appConnected(result);
      case APP_RECV -> appReceived(result, buffer);
      case APP_SEND -> appSent(result);
      case ACCEPT -> throw new AssertionError("accepts belong to the worker");
    }
    advanceClosing();
  }

  private void clientReceived(int result, int buffer) {
    if (result == -Errno.ECANCELED) {
      return;
    }
    switch (state) {
      case PEEKING -> {
        if (result > 0) {
          peeked(buffer, result);
        } else {
          close(CloseReason.CLIENT_CLOSED, "");
          clientOpen = false;
        }
      }
      case HANDSHAKING -> {
        if (result > 0) {
          handshakeInput(buffer, result);
        } else {
          clientOpen = false;
          close(CloseReason.HANDSHAKE_ABORTED, result == 0 ? "" : Errno.name(-result));
        }
      }
      case CONNECTING -> {
        // Only a silent client of a permissive port has a receive in flight here.
        if (result > 0) {
          peekedBuffer = buffer;
          peekedBytes = result;
        } else {
          clientOpen = false;
          close(CloseReason.CLIENT_CLOSED, "");
        }
      }
      case RELAYING -> {
        touch();
        fromClient.completed(result, buffer);
      }
      case CLOSING -> {
        // What a client still sends is thrown away, so that our last bytes reach it.
        if (result > 0) {
          worker.release(buffer);
        } else {
          clientOpen = false;
        }
      }
      case CLOSED -> throw new AssertionError(state);
    }
  }

  private void clientSent(int result) {
    Sending sending = fromApp.sending();
    if (result < 0) {
      worker.release(sending.end());
      if (state != CLOSING) {
        clientGone(-result);
      } else {
        clientOpen = false;
      }
      return;
    }
    sending.sent(result);
    if (!clientOpen) {
      worker.release(sending.end());
      return;
    }
    if (sending.leftBytes() > 0) {
      worker.countRetry();
      sendToClient();
      return;
    }
    int buffer = sending.end();
    if (session != null && session.undrainedBytes() > 0) {
      flush(buffer);
    } else {
      worker.release(buffer);
      clientFlushed();
    }
  }

  /** Everything for the client has been handed to the kernel. */
  private void clientFlushed() {
    switch (state) {
      case HANDSHAKING -> recvFromClient();
      case RELAYING -> {
        touch();
        fromApp.flushed();
        if (state == RELAYING) {
          fromClient.outputFlushed();
        }
      }
      case PEEKING, CONNECTING, CLOSING, CLOSED -> {}
    }
  }

  private void appReceived(int result, int buffer) {
    if (result == -Errno.ECANCELED) {
      return;
    }
    if (state == RELAYING) {
      touch();
      fromApp.completed(result, buffer);
    } else if (buffer != BufferPool.NONE) {
      worker.release(buffer);
    }
  }

  private void appSent(int result) {
    if (state == RELAYING) {
      touch();
      fromClient.sent(result);
    } else {
      worker.release(fromClient.sending().end());
    }
  }

  // ---- what the directions use

  /** Drains the session into {@code buffer} and sends it; without output the buffer goes back. */
  void flush(int buffer) {
    if (fromApp.sending().busy()) {
      // The send in flight drains the session when it ends.
      worker.release(buffer);
      return;
    }
    int bytes = session.drain(worker.address(buffer), worker.bufferBytes());
    if (bytes > 0) {
      fromApp.sending().begin(buffer, bytes);
      sendToClient();
    } else {
      worker.release(buffer);
      clientFlushed();
    }
  }

  void sendToClient() {
    Sending sending = fromApp.sending();
    begin(Operation.CLIENT_SEND);
    worker
        .loop()
        .send(
            clientFd,
            worker.address(sending.buffer()) + sending.offset(),
            sending.leftBytes(),
            token(Operation.CLIENT_SEND));
  }

  void sendToApp() {
    Sending sending = fromClient.sending();
    begin(Operation.APP_SEND);
    worker
        .loop()
        .send(
            appFd,
            worker.address(sending.buffer()) + sending.offset(),
            sending.leftBytes(),
            token(Operation.APP_SEND));
  }

  void recvFromClient() {
    if (!isInFlight(Operation.CLIENT_RECV)) {
      begin(Operation.CLIENT_RECV);
      worker.loop().recv(clientFd, worker.bufferBytes(), token(Operation.CLIENT_RECV));
    }
  }

  void recvFromApp(int maxBytes) {
    if (!isInFlight(Operation.APP_RECV)) {
      begin(Operation.APP_RECV);
      worker.loop().recv(appFd, maxBytes, token(Operation.APP_RECV));
    }
  }

  void shutdownApp() {
    worker.sockets().shutdown(appFd, Sockets.SHUT_WR);
  }

  void shutdownClient() {
    finSent = true;
    worker.sockets().shutdown(clientFd, Sockets.SHUT_WR);
  }

  /** Null for plaintext. */
  TlsSession session() {
    return session;
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
    clientOpen = false;
    abortApp();
    close(CloseReason.CLIENT_RESET, Errno.name(errno));
  }

  /** FIN without close_notify: an attacker may have cut the stream, so the app sees a reset. */
  void clientTruncated() {
    clientOpen = false;
    abortApp();
    close(CloseReason.TRUNCATED, "FIN without close_notify");
  }

  /** The app reset: the client must not take it for an end either. */
  void appGone(int errno) {
    worker.sockets().resetOnClose(clientFd);
    finSent = true;
    clientOpen = false;
    close(CloseReason.APP_RESET, Errno.name(errno));
  }

  void protocolError() {
    TlsFailure failure = session.failure();
    abortApp();
    close(CloseReason.PROTOCOL_ERROR, failure.reason() + ": " + failure.detail());
  }

  private void abortApp() {
    if (appFd != NO_FD) {
      worker.sockets().resetOnClose(appFd);
    }
  }

  // ---- the way out

  /** Names the reason, once, and begins to close. */
  void close(CloseReason why, String detail) {
    if (state == CLOSING) {
      return;
    }
    if (state == HANDSHAKING) {
      worker.handshakeOver();
    }
    become(CLOSING);
    reason = why;
    this.detail = detail;
    deadlineNs = worker.nowNs() + worker.limits().lingerNs();
    if (peekedBuffer != BufferPool.NONE) {
      worker.release(peekedBuffer);
      peekedBuffer = BufferPool.NONE;
    }
    closeApp(true);
  }

  /** One step of the way out; called after every completion and at the deadline. */
  void advanceClosing() {
    if (state != CLOSING) {
      return;
    }
    closeApp(false);
    if (!clientOpen) {
      cancel(Operation.CLIENT_RECV);
      cancel(Operation.CLIENT_SEND);
    } else if (!isInFlight(Operation.CLIENT_SEND)) {
      lastWords();
    }
    boolean clientBusy = isInFlight(Operation.CLIENT_RECV) || isInFlight(Operation.CLIENT_SEND);
    if (!clientOpen && !clientBusy && appFd == NO_FD) {
      become(CLOSED);
      worker.loop().close(clientFd);
      if (session != null) {
        session.close();
      }
      worker.closed(this);
    }
  }

  /**
   * Alert or close_notify, then FIN, then wait for the client's own (RFC 1122 section 4.2.2.13).
   */
  private void lastWords() {
    if (session != null && session.undrainedBytes() > 0) {
      int buffer = worker.acquire();
      if (buffer != BufferPool.NONE) {
        flush(buffer);
        return;
      }
    }
    if (!finSent) {
      shutdownClient();
    }
    recvFromClient();
  }

  /** Cancels what is in flight on the app's socket, and closes it when nothing is. */
  private void closeApp(boolean cancel) {
    if (appFd == NO_FD) {
      return;
    }
    if (cancel) {
      cancel(Operation.APP_CONNECT);
      cancel(Operation.APP_RECV);
      cancel(Operation.APP_SEND);
    }
    boolean busy =
        isInFlight(Operation.APP_CONNECT)
            || isInFlight(Operation.APP_RECV)
            || isInFlight(Operation.APP_SEND);
    if (!busy) {
      worker.loop().close(appFd);
      appFd = NO_FD;
    }
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
      case PEEKING -> connectApp(destination.app());
      case HANDSHAKING -> close(CloseReason.HANDSHAKE_TIMEOUT, "");
      case CONNECTING -> close(CloseReason.APP_TIMEOUT, "connect " + dialled);
      case RELAYING -> end(CloseReason.IDLE);
      case CLOSING -> {
        // The client had its time: what it has not read by now it may lose.
        clientOpen = false;
        worker.sockets().resetOnClose(clientFd);
      }
      case CLOSED -> throw new AssertionError(state);
    }
    advanceClosing();
  }

  /** Ends a live connection from our side. */
  void end(CloseReason why) {
    if (state == RELAYING && session != null) {
      session.closeNotify();
    }
    abortApp();
    close(why, "");
    advanceClosing();
  }

  /** A fault in our own code: this connection ends, the others go on. */
  void broken(RuntimeException fault) {
    clientOpen = false;
    abortApp();
    close(CloseReason.INTERNAL, fault.toString());
    advanceClosing();
  }

  private void touch() {
    deadlineNs = worker.nowNs() + worker.limits().idleNs();
    trimmed = false;
  }

  /** An idle connection gives back what its session's buffers have grown to. */
  void rest(long nowNs) {
    boolean idle = worker.limits().idleNs() - leftNs(nowNs) >= worker.limits().trimNs();
    if (state == RELAYING && session != null && !trimmed && idle) {
      session.trim();
      trimmed = true;
    }
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
        client,
        dialled == null ? "-" : dialled.toString(),
        state,
        version,
        cipherSuite,
        peer,
        session == null && dialled != null ? worker.path().plaintext() : worker.path(),
        fromClient.bytes(),
        fromApp.bytes(),
        worker.nowNs() - acceptedNs,
        reason,
        detail);
  }

  private void become(ConnectionState next) {
    assert state.mayBecome(next) : state + " -> " + next;
    if (state == HANDSHAKING && next == CONNECTING) {
      worker.handshakeOver();
    }
    state = next;
  }

  private void begin(Operation operation) {
    assert !isInFlight(operation) : operation;
    inFlight |= operation.bit();
  }

  private boolean isInFlight(Operation operation) {
    return (inFlight & operation.bit()) != 0;
  }

  private void cancel(Operation operation) {
    if (isInFlight(operation)) {
      worker.loop().cancel(token(operation));
    }
  }

  private long token(Operation operation) {
    return operation.token(slot, generation);
  }
}
