package dev.weir.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the lab's packages may know: no cycles, and those that decide are fed with numbers and do nothing. */
@AnalyzeClasses(packages = "dev.weir.lab", importOptions = DoNotIncludeTests.class)
class LabArchitectureTest {
    private static final String[] DECIDING = {
        "dev.weir.lab.knee..", "dev.weir.lab.arrival..", "dev.weir.lab.size..", "dev.weir.lab.http1.."
    };

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("dev.weir.lab.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule decidingUsesNoNetworkAndNoFiles = noClasses()
            .that()
            .resideInAnyPackage(DECIDING)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..");

    @ArchTest
    static final ArchRule decidingUsesNoThreads = noClasses()
            .that()
            .resideInAnyPackage(DECIDING)
            .should()
            .dependOnClassesThat(
                    Predicates.assignableTo(Thread.class).or(Predicates.resideInAPackage("java.util.concurrent..")));

    @ArchTest
    static final ArchRule decidingReadsNoClock = noClasses()
            .that()
            .resideInAnyPackage(DECIDING)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule diagnosisDoesNoInputOrOutput = noClasses()
            .that()
            .resideInAPackage("dev.weir.lab.diagnose..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..", "java.net..", "java.nio..", "java.lang.management..", "javax.management..");
}
