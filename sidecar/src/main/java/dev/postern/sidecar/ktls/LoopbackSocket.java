package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;

/** A TCP connection to ourselves, never accepted. */
final class LoopbackSocket implements AutoCloseable {

  private final LibcSetup setup = new LibcSetup();
  private final Libc libc = new Libc();
  private final int listener;
  private final int client;

  private LoopbackSocket() throws IOException {
    Sockets sockets = new Sockets();
    listener = check("listen", sockets.listen(Sockaddr.of("127.0.0.1", 0), 1, false));
    client = setup.socket(Sockaddr.AF_INET, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0);
    try (Arena arena = Arena.ofConfined()) {
      check("socket", client);
      long address = arena.allocate(Sockaddr.STORAGE_BYTES, 8).address();
      int length = sockets.local(listener).write(address);
      check("connect", libc.connect(client, address, length));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  static LoopbackSocket connect() throws IOException {
    return new LoopbackSocket();
  }

  /** setsockopt(2): 0 or -errno. */
  int set(int level, int option, long value, int lengthBytes) {
    return setup.setsockopt(client, level, option, value, lengthBytes);
  }

  private static int check(String call, int result) throws IOException {
    if (result < 0) {
      throw new IOException(call + " on loopback: " + Errno.name(-result));
    }
    return result;
  }

  @Override
  public void close() {
    libc.close(listener);
    if (client >= 0) {
      libc.close(client);
    }
  }
}
