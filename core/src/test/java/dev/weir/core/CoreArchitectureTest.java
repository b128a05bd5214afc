package dev.weir.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of the design: features know nothing of each other, save that an outbox publishes, and nothing of Spring. */
@AnalyzeClasses(packages = "dev.weir.core", importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {

    @ArchTest
    static final ArchRule FEATURES_DEPEND_ON_TIME_ALONE = slices().matching("dev.weir.core.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                    DescribedPredicate.alwaysTrue(), JavaClass.Predicates.resideInAPackage("dev.weir.core.time.."))
            .ignoreDependency(
                    JavaClass.Predicates.resideInAPackage("dev.weir.core.outbox.."),
                    JavaClass.Predicates.resideInAPackage("dev.weir.core.publish.."));

    @ArchTest
    static final ArchRule KNOWS_NO_SPRING_AND_NO_OTHER_MODULE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "dev.weir.starter..", "dev.weir.lab..", "dev.weir.stack..");
}
