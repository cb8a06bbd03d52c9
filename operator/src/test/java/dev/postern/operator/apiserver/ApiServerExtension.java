package dev.postern.operator.apiserver;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One real API server for all tests of a run; a test takes its client as a parameter. Skips with a
 * reason where the program is not built.
 */
public final class ApiServerExtension implements BeforeAllCallback, ParameterResolver {

  private static final String VARIABLE = "POSTERN_KUBERNETES_BIN";
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(ApiServerExtension.class);

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Optional<Path> program = program();
    Assumptions.assumeTrue(
        program.isPresent(),
        "no kube-apiserver: run e2e/cluster up once, or set " + VARIABLE + " to its program");
    server(context, program.get());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == KubernetesClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getRoot().getStore(STORE).get("server", ApiServerProcess.class).client();
  }

  /** The root's store closes it at the end of the run. */
  private static void server(ExtensionContext context, Path program) {
    var _ =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent("server", _ -> start(program), ApiServerProcess.class);
  }

  private static ApiServerProcess start(Path program) {
    try {
      return new ApiServerProcess(program);
    } catch (IOException e) {
      throw new IllegalStateException("cannot start " + program, e);
    }
  }

  private static Optional<Path> program() throws IOException {
    String named = System.getenv(VARIABLE);
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base = cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    Path programs = base.resolve(Path.of("postern", "cluster", "programs"));
    if (!Files.isDirectory(programs)) {
      return Optional.empty();
    }
    try (Stream<Path> folders = Files.list(programs)) {
      return folders
          .filter(it -> it.getFileName().toString().matches("kubernetes-v[^.]+\\.[^.]+\\.[^.]+"))
          .map(it -> it.resolve("kubernetes"))
          .filter(Files::isExecutable)
          .max(Comparator.comparingLong(it -> it.toFile().lastModified()));
    }
  }
}
