package dev.postern.crds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart ships what the types say; {@code -Dupdate} writes it anew. */
class GeneratedYamlTest {

  private static final Path SHIPPED = Path.of("..", "helm", "files", "crds");

  @TempDir Path generated;

  @Test
  void shouldShipExactlyWhatTheTypesGenerate() throws IOException {
    Map<String, String> current = generate();
    if (Boolean.getBoolean("update")) {
      for (var file : current.entrySet()) {
        Files.writeString(SHIPPED.resolve(file.getKey()), file.getValue());
      }
    }
    assertThat(current).hasSize(4);
    for (var file : current.entrySet()) {
      assertThat(SHIPPED.resolve(file.getKey()))
          .as("run: mvn -pl crds test -Dupdate=true")
          .hasContent(file.getValue());
    }
  }

  private Map<String, String> generate() {
    return new CRDGenerator()
            .customResourceClasses(
                Issuer.class, ClusterIssuer.class, Certificate.class, TlsPolicy.class)
            .inOutputDir(generated.toFile())
            .detailedGenerate()
            .getCRDDetailsPerNameAndVersion()
            .values()
            .stream()
            .map(Map::values)
            .flatMap(Collection::stream)
            .collect(
                java.util.stream.Collectors.toMap(
                    crd -> crd.getCrdName() + ".yaml", GeneratedYamlTest::read));
  }

  private static String read(CRDInfo crd) {
    try {
      return Files.readString(Path.of(crd.getFilePath()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
