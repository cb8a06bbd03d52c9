package dev.postern.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferIT {

  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int CHUNKS = 1024;

  private static Sandbox sandbox;
  private static MutualTls client;
  private static String address;

  @BeforeAll
  static void deploy() {
    sandbox = new Sandbox("transfer");
    sandbox.apply("echo.yaml");
    client = sandbox.clientIdentity();
    address = sandbox.readyPod("echo").getStatus().getPodIP();
  }

  @AfterAll
  static void remove() {
    sandbox.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldCarry64MiBEachWayUnchanged(String protocol) throws Exception {
    try (SSLSocket socket = client.connect(address, 9000, protocol)) {
      CompletableFuture<byte[]> received =
          CompletableFuture.supplyAsync(() -> hashOf(socket, (long) CHUNKS * CHUNK_BYTES));
      byte[] sent = sendRandom(socket.getOutputStream());
      assertThat(received.join()).isEqualTo(sent);
    }
  }

  private static byte[] sendRandom(OutputStream out) throws IOException {
    MessageDigest hash = sha256();
    SplittableRandom random = new SplittableRandom(64);
    byte[] chunk = new byte[CHUNK_BYTES];
    for (int i = 0; i < CHUNKS; i++) {
      random.nextBytes(chunk);
      hash.update(chunk);
      out.write(chunk);
    }
    return hash.digest();
  }

  private static byte[] hashOf(SSLSocket socket, long expectedBytes) {
    try {
      MessageDigest hash = sha256();
      InputStream in = socket.getInputStream();
      byte[] chunk = new byte[CHUNK_BYTES];
      long left = expectedBytes;
      while (left > 0) {
        int read = in.read(chunk, 0, (int) Math.min(chunk.length, left));
        if (read < 0) {
          throw new IOException("ended with " + left + " bytes missing");
        }
        hash.update(chunk, 0, read);
        left -= read;
      }
      return hash.digest();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
