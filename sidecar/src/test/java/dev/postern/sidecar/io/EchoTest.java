package dev.postern.sidecar.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(IoKind.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EchoTest {

  private static final int CONNECTIONS = 1000;
  private static final int ROUNDS = 10;
  private static final int MESSAGE_BYTES = 600;

  @Parameter IoKind kind;

  @Test
  void shouldEchoEveryByteWhenAThousandConnectionsAreOpen() throws Exception {
    LoopSettings settings = LoopSettings.DEFAULT.withBuffers(1024, 128);
    try (LoopHarness io = new LoopHarness(kind, settings)) {
      int listener = io.listen();
      FutureTask<Integer> clients = new FutureTask<>(() -> talk(io.port(listener)));
      EchoServer server = new EchoServer(io.loop, listener);
      Thread.ofPlatform().start(clients);
      while (server.closed < CONNECTIONS) {
        io.loop.run(-1, server);
      }

      assertThat(clients.get()).isEqualTo(CONNECTIONS * ROUNDS);
      assertThat(io.loop.buffers().lent()).isZero();
    }
  }

  /** All connections stay open; each round writes to all and then reads from all. */
  private static int talk(int port) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
    int echoed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets.get(i).getOutputStream().write(message(i, round));
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        byte[] got = new byte[MESSAGE_BYTES];
        new DataInputStream(sockets.get(i).getInputStream()).readFully(got);
        assertThat(got).isEqualTo(message(i, round));
        echoed++;
      }
    }
    for (Socket socket : sockets) {
      socket.close();
    }
    return echoed;
  }

  private static byte[] message(int connection, int round) {
    byte[] bytes = new byte[MESSAGE_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (connection * 31 + round * 7 + i);
    }
    return bytes;
  }

  /** Tokens: the descriptor, above it the kind of operation. */
  private static final class EchoServer implements CompletionHandler {
    private static final long ACCEPT = 1L << 32;
    private static final long RECV = 2L << 32;
    private static final long SEND = 3L << 32;

    private final CompletionLoop loop;
    private final int listener;
    private final int[] buffer = new int[8192];
    private final int[] left = new int[8192];
    private final long[] position = new long[8192];
    int closed;

    EchoServer(CompletionLoop loop, int listener) {
      this.loop = loop;
      this.listener = listener;
      loop.accept(listener, ACCEPT);
    }

    @Override
    public void onCompletion(long token, int result, int received) {
      assertThat(result).isNotNegative();
      int fd = (int) token;
      if ((token & ~0xffffffffL) == ACCEPT) {
        loop.recv(result, 1024, RECV | result);
        loop.accept(listener, ACCEPT);
      } else if ((token & ~0xffffffffL) == RECV) {
        onReceived(fd, result, received);
      } else {
        onSent(fd, result);
      }
    }

    private void onReceived(int fd, int bytes, int received) {
      if (bytes == 0) {
        loop.close(fd);
        closed++;
        return;
      }
      buffer[fd] = received;
      left[fd] = bytes;
      position[fd] = loop.buffers().address(received);
      loop.send(fd, position[fd], bytes, SEND | fd);
    }

    private void onSent(int fd, int bytes) {
      left[fd] -= bytes;
      position[fd] += bytes;
      if (left[fd] > 0) {
        loop.send(fd, position[fd], left[fd], SEND | fd);
      } else {
        loop.buffers().release(buffer[fd]);
        loop.recv(fd, 1024, RECV | fd);
      }
    }
  }
}
