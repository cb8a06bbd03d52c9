package dev.postern.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.postern.operator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] CLIENTS = {
    "io.fabric8.kubernetes.client..", "io.javaoperatorsdk..", "java.net.http..", "com.sun.net.."
  };

  @ArchTest
  static final ArchRule shouldHaveNoCycles =
      slices().matching("dev.postern.operator.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule shouldKeepClientsOutOfWhatDecides =
      noClasses()
          .that()
          .resideInAnyPackage("dev.postern.operator.pki..", "dev.postern.operator.inject..")
          .or()
          .haveSimpleNameEndingWith("Decision")
          .or()
          .haveSimpleNameEndingWith("Plan")
          .or()
          .haveSimpleNameStartingWith("Policy")
          .and()
          .doNotHaveSimpleName("PolicyStatuses")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CLIENTS);

  @ArchTest
  static final ArchRule shouldDependInOneDirection =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("main")
          .definedBy("..operator.main..")
          .layer("reconcilers")
          .definedBy("..operator.certificate..", "..operator.workload..")
          .layer("issuer")
          .definedBy("..operator.issuer..")
          .layer("webhook")
          .definedBy("..operator.webhook..")
          .layer("inject")
          .definedBy("..operator.inject..")
          .layer("pki")
          .definedBy("..operator.pki..")
          .whereLayer("main")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("reconcilers")
          .mayOnlyBeAccessedByLayers("main")
          .whereLayer("issuer")
          .mayOnlyBeAccessedByLayers("reconcilers", "main")
          .whereLayer("webhook")
          .mayOnlyBeAccessedByLayers("main")
          .whereLayer("inject")
          .mayOnlyBeAccessedByLayers("webhook");

  @ArchTest
  static final ArchRule shouldLetOnlyTheWebhookServeAdmission =
      classes()
          .that()
          .resideInAPackage("dev.postern.operator.inject..")
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAnyPackage("dev.postern.operator.inject..", "dev.postern.operator.webhook..");
}
