package dev.postern.sidecar;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;

/** One direction of dependence: main, then what it wires, then tls and io, then the bindings. */
@AnalyzeClasses(packages = ArchitectureTest.ROOT, importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  static final String ROOT = "dev.postern.sidecar";
  private static final String JSON = "com.fasterxml.jackson.core..";
  private static final String HTTP_SERVER = "com.sun.net.httpserver..";

  @ArchTest static final ArchRule linux = mayUse("linux", List.of());
  @ArchTest static final ArchRule openssl = mayUse("openssl", List.of("linux"));
  @ArchTest static final ArchRule ktls = mayUse("ktls", List.of("linux"));
  @ArchTest static final ArchRule io = mayUse("io", List.of("linux"));
  @ArchTest static final ArchRule epoll = mayUse("io.epoll", List.of("io", "linux"));
  @ArchTest static final ArchRule uring = mayUse("io.uring", List.of("io", "linux"));

  @ArchTest static final ArchRule tls = mayUse("tls", List.of("openssl", "ktls", "linux"));

  @ArchTest static final ArchRule relay = mayUse("relay", List.of("tls", "ktls", "io", "linux"));

  @ArchTest static final ArchRule files = mayUse("files", List.of(), JSON);
  @ArchTest static final ArchRule config = mayUse("config", List.of("files", "tls"), JSON);

  @ArchTest
  static final ArchRule identity =
      mayUse("identity", List.of("files", "tls", "openssl", "linux"), JSON);

  @ArchTest
  static final ArchRule reload = mayUse("reload", List.of("files", "config", "identity", "tls"));

  @ArchTest static final ArchRule admin = mayUse("admin", List.of(), JSON, HTTP_SERVER);

  @ArchTest
  static final ArchRule onlyMainPicksTheBackend =
      noClasses()
          .that(not(resideInAnyPackage(ROOT + ".main..", ROOT + ".io.epoll", ROOT + ".io.uring")))
          .should()
          .dependOnClassesThat(resideInAnyPackage(ROOT + ".io.epoll", ROOT + ".io.uring"))
          .because("no code above io knows which backend runs");

  @ArchTest
  static final ArchRule nobodyUsesMain =
      noClasses()
          .that(not(resideInAPackage(ROOT + ".main..")))
          .should()
          .dependOnClassesThat(resideInAPackage(ROOT + ".main.."));

  @ArchTest
  static final ArchRule nativeCallsStayInBindings =
      noClasses()
          .that(not(resideInAnyPackage(ROOT + ".linux", ROOT + ".openssl", ROOT + ".ktls")))
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.foreign.Linker")
          .because("a native function is bound in the class of its library");

  @ArchTest
  static final ArchRule noCycles = slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  /** A package may use itself, the named ones of ours, the JDK, and the libraries named last. */
  private static ArchRule mayUse(String name, List<String> others, String... libraries) {
    Stream<String> ours = Stream.concat(Stream.of(name), others.stream()).map(p -> ROOT + "." + p);
    String[] allowed =
        Stream.of(ours, Stream.of("java..", "javax..", "jdk..", ""), Stream.of(libraries))
            .flatMap(packages -> packages)
            .toArray(String[]::new);
    return classes()
        .that(resideInAPackage(ROOT + "." + name))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(allowed));
  }
}
