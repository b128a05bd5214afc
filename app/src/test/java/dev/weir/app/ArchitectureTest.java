package dev.weir.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between modules: the lab knows nothing of ours, the stack neither, the app runs the store as a process. */
@AnalyzeClasses(packages = "dev.weir", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule LAB_KNOWS_NOTHING_OF_OURS = noClasses()
            .that()
            .resideInAPackage("dev.weir.lab..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.weir.app..", "dev.weir.stack..", "dev.weir.store..", "dev.weir.core..");

    @ArchTest
    static final ArchRule STACK_KNOWS_NOTHING_OF_OURS = noClasses()
            .that()
            .resideInAPackage("dev.weir.stack..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.weir.app..", "dev.weir.lab..", "dev.weir.store..", "dev.weir.core..");

    @ArchTest
    static final ArchRule APP_RUNS_THE_STORE_AS_A_PROCESS = noClasses()
            .that()
            .resideInAPackage("dev.weir.app..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.weir.store..")
            .allowEmptyShould(true);
}
