package dev.weir.starter;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of the design: the starter knows core, and no other module. */
@AnalyzeClasses(packages = "dev.weir.starter", importOptions = ImportOption.DoNotIncludeTests.class)
class StarterArchitectureTest {

    @ArchTest
    static final ArchRule KNOWS_CORE_ALONE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.weir.lab..", "dev.weir.stack..", "dev.weir.store..", "dev.weir.app..");
}
