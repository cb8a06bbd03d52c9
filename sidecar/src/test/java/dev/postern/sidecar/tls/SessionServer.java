package dev.postern.sidecar.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An echo server over plain Java sockets whose TLS is a {@link TlsSession}: one thread each. */
final class SessionServer implements AutoCloseable {

  private static final int BUFFER_BYTES = 20_000;

  /** What became of one connection. */
  record Outcome(
      PeerIdentity peer, String version, String cipher, TlsFailure failure, boolean closedClean) {}

  private final TlsContext context;
  private final PeerAuthorizer authorizer;
  private final ServerSocket listener;
  private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

  SessionServer(TlsContext context, PeerAuthorizer authorizer) {
    this.context = context;
    this.authorizer = authorizer;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().start(this::acceptAll);
  }

  int port() {
    return listener.getLocalPort();
  }

  Outcome outcome() {
    try {
      Outcome outcome = outcomes.poll(10, TimeUnit.SECONDS);
      if (outcome == null) {
        throw new AssertionError("no connection ended within 10 s");
      }
      return outcome;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept();
          MemoryBioSession session = context.accept();
          Arena arena = Arena.ofConfined()) {
        socket.setTcpNoDelay(true);
        outcomes.add(new Connection(socket, session, arena).serve());
      } catch (IOException e) {
        // The client went away, or the test is over.
      }
    }
  }

  private final class Connection {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final MemoryBioSession session;
    private final MemorySegment buffer;
    private final byte[] heap = new byte[BUFFER_BYTES];

    Connection(Socket socket, MemoryBioSession session, Arena arena) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
      this.out = socket.getOutputStream();
      this.session = session;
      this.buffer = arena.allocate(BUFFER_BYTES);
    }

    Outcome serve() throws IOException {
      TlsSession.Step step = session.handshake();
      while (step == TlsSession.Step.WANT_INPUT && receive()) {
        step = session.handshake();
        flush();
      }
      if (step != TlsSession.Step.DONE) {
        end();
        return new Outcome(null, null, null, session.failure(), false);
      }
      PeerIdentity peer = session.peer();
      String version = session.version();
      String cipher = session.cipherSuite();
      boolean clean = false;
      if (authorizer.decide(peer) == PeerAuthorizer.Decision.ALLOWED) {
        clean = echo();
      } else {
        session.alert(TlsAlert.ACCESS_DENIED);
      }
      end();
      return new Outcome(peer, version, cipher, session.failure(), clean);
    }

    private boolean echo() throws IOException {
      do {
        int bytes = session.read(buffer.address(), BUFFER_BYTES);
        while (bytes > 0) {
          session.write(buffer.address(), bytes);
          flush();
          bytes = session.read(buffer.address(), BUFFER_BYTES);
        }
        flush();
        if (bytes == TlsSession.CLOSE_NOTIFY) {
          session.closeNotify();
          return true;
        }
        if (bytes == TlsSession.FAILED) {
          return false;
        }
      } while (receive());
      return false;
    }

    private boolean receive() throws IOException {
      int bytes = in.read(heap);
      if (bytes < 0) {
        return false;
      }
      MemorySegment.copy(MemorySegment.ofArray(heap), 0, buffer, 0, bytes);
      session.feed(buffer.address(), bytes);
      return true;
    }

    private void flush() throws IOException {
      ByteBuffer view = buffer.asByteBuffer();
      for (int bytes = drain(); bytes > 0; bytes = drain()) {
        view.get(0, heap, 0, bytes);
        out.write(heap, 0, bytes);
      }
    }

    private int drain() {
      return session.drain(buffer.address(), BUFFER_BYTES);
    }

    /** Alert or close_notify, FIN, and then whatever the peer still sends, so that no RST goes. */
    private void end() throws IOException {
      flush();
      socket.shutdownOutput();
      socket.setSoTimeout(5_000);
      in.transferTo(OutputStream.nullOutputStream());
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
