package dev.weir.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class StoreArchitectureTest {

    @ArchTest
    static final ArchRule featuresDoNotDependOnEachOtherInCycles =
            slices().matching("dev.weir.store.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theStoreKnowsNeitherTheLabNorTheStack = noClasses()
            .that()
            .resideInAPackage("dev.weir.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.weir.lab..", "dev.weir.stack..", "dev.weir.app..");

    @ArchTest
    static final ArchRule theProviderKnowsNothingOfTheStoreItServes = noClasses()
            .that()
            .resideInAPackage("dev.weir.store.provider..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.weir.store.catalog..",
                    "dev.weir.store.orders..",
                    "dev.weir.store.payments..",
                    "dev.weir.store.messages..",
                    "org.springframework..");
}
