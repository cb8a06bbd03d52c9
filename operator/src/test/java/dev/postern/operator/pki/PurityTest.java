package dev.postern.operator.pki;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.postern.operator.pki",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PurityTest {
  @ArchTest
  static final ArchRule shouldDependOnTheJdkAndBouncyCastleOnly =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.security.auth.x500..",
              "org.bouncycastle..",
              "dev.postern.operator.pki..");
}
