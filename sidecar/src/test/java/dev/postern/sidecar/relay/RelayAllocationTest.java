package dev.postern.sidecar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayAllocationTest {

  private static final int WARM_UP = 20_000;
  private static final int CHUNKS = 50_000;

  @Parameter Mode mode;

  static Stream<Mode> modes() {
    return Mode.all();
  }

  @Test
  void shouldAllocateNothingOnTheWorkerForRelayedChunks() throws Exception {
    mode.assumeExists();
    try (RelayHarness relay = new RelayHarness(mode, RelayTest::echo);
        SSLSocket client = relay.connect("TLSv1.3")) {
      exchange(client, WARM_UP);
      long before = workerBytes();
      exchange(client, CHUNKS);
      long allocated = workerBytes() - before;
      // Far less than a byte a chunk: what is left is the JIT's doing, once.
      assertThat(allocated).isLessThan(CHUNKS / 100);
    }
  }

  private static void exchange(SSLSocket client, int chunks) throws Exception {
    OutputStream out = client.getOutputStream();
    InputStream in = client.getInputStream();
    byte[] chunk = new byte[200];
    for (int i = 0; i < chunks; i++) {
      out.write(chunk);
      assertThat(in.readNBytes(chunk.length)).hasSize(chunk.length);
    }
  }

  private static long workerBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("postern-worker-")) {
        bytes += threads.getThreadAllocatedBytes(thread.threadId());
      }
    }
    return bytes;
  }
}
