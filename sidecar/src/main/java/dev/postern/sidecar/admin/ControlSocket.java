package dev.postern.sidecar.admin;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * HTTP/1.0 on a Unix socket of mode 0600: whoever can open it runs as the sidecar's user, so one
 * request after the other is enough.
 */
public final class ControlSocket implements AutoCloseable {

  private static final int MAX_HEAD_BYTES = 8 * 1024;

  private final ServerSocketChannel listener;
  private final Path path;
  private final Routes routes;

  /**
   * Listens at once; a socket file that an earlier process left is replaced.
   *
   * @throws IOException when the folder cannot be written
   */
  public ControlSocket(Path path, Routes routes) throws IOException {
    this.path = path;
    this.routes = routes;
    Files.deleteIfExists(path);
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(path));
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    Thread.ofPlatform().name("postern-control").daemon().start(this::serve);
  }

  private void serve() {
    while (listener.isOpen()) {
      try (SocketChannel client = listener.accept()) {
        answer(client);
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException ignored) {
        // A client that went away costs only its own answer.
      }
    }
  }

  private void answer(SocketChannel client) throws IOException {
    String[] requestLine = readRequestLine(client).split(" ", -1);
    if (requestLine.length < 2) {
      return;
    }
    Answer answer = routes.answer(requestLine[0], requestLine[1]);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.0 %d postern\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
            .formatted(answer.status(), answer.contentType(), body.length);
    write(client, head.getBytes(StandardCharsets.US_ASCII));
    write(client, body);
  }

  private static String readRequestLine(SocketChannel client) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(MAX_HEAD_BYTES);
    while (head.hasRemaining() && client.read(head) >= 0) {
      String text = new String(head.array(), 0, head.position(), StandardCharsets.US_ASCII);
      if (text.contains("\r\n\r\n")) {
        return text.substring(0, text.indexOf("\r\n"));
      }
    }
    return "";
  }

  private static void write(SocketChannel client, byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      client.write(left);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    Files.deleteIfExists(path);
  }
}
