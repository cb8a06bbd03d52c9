package dev.postern.sidecar.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.testing.TestIdentity;
import dev.postern.sidecar.testing.TestPki;
import dev.postern.sidecar.testing.TestRunDir;
import dev.postern.sidecar.tls.TlsContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloaderTest {

  private static final TestPki ROOT = TestPki.root("root");

  @TempDir Path folder;

  private final List<String> heard = new ArrayList<>();
  private Instant now = Instant.now();
  private TestRunDir files;
  private Reloader reloader;

  private final ReloadListener listener =
      new ReloadListener() {
        @Override
        public void reloaded(Part part, Snapshot snapshot) {
          heard.add(part.label() + " ok");
        }

        @Override
        public void refused(Part part, FileRefused why) {
          heard.add(part.label() + " " + why.getMessage());
        }

        @Override
        public void warned(Part part, String sentence) {
          heard.add(sentence);
        }
      };

  @BeforeEach
  void start() {
    files = TestRunDir.valid(folder, ROOT, leaf());
    reloader = new Reloader(folder, () -> now, listener);
  }

  private static TestIdentity leaf() {
    return ROOT.leaf("spiffe://cluster.local/ns/a/sa/b");
  }

  private static String serial(TestIdentity identity) {
    return identity.chain().get(0).getSerialNumber().toString(16);
  }

  @Test
  void shouldServeTheNewIdentityWhenItsFolderIsSwapped() throws Exception {
    reloader.loadFirst();
    TestIdentity next = leaf();
    files.identity(next.certificatePem(), next.keyPem());

    reloader.poll();

    assertThat(heard).containsExactly("identity ok");
    assertThat(reloader.current().identity().serial()).isEqualTo(serial(next));
  }

  @Test
  void shouldHearNothingWhenNothingChanged() throws Exception {
    reloader.loadFirst();

    reloader.poll();
    reloader.poll();

    assertThat(heard).isEmpty();
  }

  @Test
  void shouldKeepTheOldAndSayWhyOnceWhenTheNewIsBroken() throws Exception {
    String before = reloader.loadFirst().identity().serial();
    files.identity(leaf().certificatePem(), leaf().keyPem());

    reloader.poll();
    reloader.poll();

    assertThat(heard).singleElement().asString().contains("tls.key: is not the key of the first");
    assertThat(reloader.current().identity().serial()).isEqualTo(before);
  }

  @Test
  void shouldKeepTheOldTrustWhenTheBundleIsEmptied() throws Exception {
    reloader.loadFirst();
    files.trust("[]");

    reloader.poll();

    assertThat(heard).singleElement().asString().contains("bundle.json: holds no root");
    assertThat(reloader.current().trust().anchors()).hasSize(1);
  }

  @Test
  void shouldKeepTheOldPolicyWhenAValueIsBad() throws Exception {
    reloader.loadFirst();
    files.policy("{\"version\":\"2\",\"trustDomain\":\"cluster.local\",\"mode\":\"Off\"}");

    reloader.poll();

    assertThat(heard).singleElement().asString().contains("mode is \"Off\"");
    assertThat(reloader.current().policy().version()).isEqualTo("1");
  }

  @Test
  void shouldTakeTheNextGoodOneWhenABrokenOneCameBefore() throws Exception {
    reloader.loadFirst();
    files.policy("garbage");
    reloader.poll();
    files.policy("{\"version\":\"3\",\"trustDomain\":\"cluster.local\"}");

    reloader.poll();

    assertThat(heard).hasSize(2).last().isEqualTo("policy ok");
    assertThat(reloader.current().policy().version()).isEqualTo("3");
  }

  @Test
  void shouldTakeItWithoutAChangeOfFilesWhenItBecomesValid() throws Exception {
    reloader.loadFirst();
    TestIdentity later =
        ROOT.leaf()
            .uri("spiffe://cluster.local/ns/a/sa/b")
            .validity(now.plusSeconds(60), now.plus(Duration.ofHours(1)))
            .issue();
    files.identity(later.certificatePem(), later.keyPem());
    reloader.poll();
    now = now.plusSeconds(61);

    reloader.poll();

    assertThat(heard).hasSize(2).last().isEqualTo("identity ok");
  }

  @Test
  void shouldNameTheFileWhenItIsMissingAtStart() throws Exception {
    Files.delete(folder.resolve("policy").resolve("v1.json"));

    assertThatThrownBy(() -> reloader.loadFirst())
        .isInstanceOf(FileRefused.class)
        .hasMessage(folder.resolve("policy").resolve("v1.json") + ": does not exist");
  }

  @Test
  void shouldGoOnPollingWhenTheListenerThrows() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ReloadListener throwing =
        new ReloadListener() {
          @Override
          public void reloaded(Part part, Snapshot snapshot) {
            calls.incrementAndGet();
            throw new IllegalStateException("expected by this test");
          }

          @Override
          public void refused(Part part, FileRefused why) {}

          @Override
          public void warned(Part part, String sentence) {}
        };
    Reloader polled = new Reloader(folder, () -> now, throwing);
    polled.loadFirst();

    try (ReloadThread thread = new ReloadThread(polled, Duration.ofMillis(20))) {
      for (int version = 1; version <= 2; version++) {
        files.policy("{\"version\":\"v%d\",\"trustDomain\":\"cluster.local\"}".formatted(version));
        int expected = version;
        await()
            .dontCatchUncaughtExceptions()
            .atMost(Duration.ofSeconds(10))
            .until(() -> calls.get() == expected);
      }
      assertThat(thread).isNotNull();
    }
  }

  @Test
  void shouldLeaveTheNumberOfDescriptorsUnchangedWhenReloadedAHundredTimes() throws Exception {
    reloader.loadFirst().newContext().close();
    TestIdentity[] pair = {leaf(), leaf()};
    long before = descriptors();

    for (int i = 0; i < 100; i++) {
      files.identity(pair[i % 2].certificatePem(), pair[i % 2].keyPem());
      reloader.poll();
      try (TlsContext context = reloader.current().newContext()) {
        context.accept().close();
      }
    }

    assertThat(heard).hasSize(100).allMatch("identity ok"::equals);
    assertThat(descriptors()).isEqualTo(before);
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
