package dev.postern.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The chart as Helm renders it. */
record Chart(List<HasMetadata> objects) {

  private static final KubernetesSerialization YAML = new KubernetesSerialization();
  private static final Path COPY = copyForOldKubernetes();

  /** The library renders for Kubernetes 1.20, which the chart rightly refuses. */
  private static Path copyForOldKubernetes() {
    try {
      Path copy = Path.of("target", "chart");
      for (String part :
          List.of("Chart.yaml", "values.yaml", "values.schema.json", "templates", "files")) {
        try (Stream<Path> files = Files.walk(Path.of(part))) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            Files.createDirectories(copy.resolve(file).getParent());
            String text = Files.readString(file);
            Files.writeString(copy.resolve(file), text.replaceAll("(?m)^kubeVersion:.*$", ""));
          }
        }
      }
      return copy;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Renders with values such as "webhook.replicas", "1", in pairs. */
  static Chart rendered(String... values) {
    TemplateCommand template =
        new Helm(COPY).template().withName("postern").withNamespace("postern-system");
    for (int i = 0; i < values.length; i += 2) {
      template.set(values[i], values[i + 1]);
    }
    return new Chart(
        Arrays.stream(template.call().split("(?m)^---.*$", -1))
            .filter(document -> document.contains("kind:"))
            .<HasMetadata>map(document -> YAML.unmarshal(document, GenericKubernetesResource.class))
            .toList());
  }

  <T extends HasMetadata> List<T> all(Class<T> type) {
    return objects.stream()
        .filter(object -> object.getKind().equals(HasMetadata.getKind(type)))
        .map(object -> YAML.unmarshal(YAML.asYaml(object), type))
        .toList();
  }

  <T extends HasMetadata> T named(Class<T> type, String name) {
    return all(type).stream()
        .filter(object -> object.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
