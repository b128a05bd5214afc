package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Settings of features that do not exist. */
@ExtendWith(OutputCaptureExtension.class)
class FeatureNamesTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class));

    @Test
    void aMisspeltFeatureStopsTheStartWithTheNearestOne(CapturedOutput output) {
        var application = new SpringApplication(WeirAutoConfiguration.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        assertThatThrownBy(() -> application.run("--spring.main.banner-mode=off", "--weir.cahce.enabled=true"))
                .isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("There is no feature weir.cahce, which weir.cahce.enabled (from \"weir.cahce.enabled\" from")
                .contains("would set; the nearest is weir.cache.")
                .contains(
                        "the features are weir.cache, weir.defer, weir.express, weir.outbox, weir.pool, weir.publish, weir.route, weir.threads.")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({"cahce,cache", "rout,route", "pools,pool", "thread,threads", "experss,express", "router,route"})
    void theNearestIsTheOneMeant(String given, String meant) {
        assertThat(FeatureNames.nearest(given)).isEqualTo(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.rotue.session.key=secret", "weir.Pools.size=3", "weir.cache2.enabled=true"})
    void anySettingOfAnUnknownFeatureIsRefusedAndItsValueNotShown(String setting) {
        runner.withPropertyValues(setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SettingException.class)
                        .hasMessageNotContaining("secret"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "weir.cache.enabled=false",
                "weir.express.enabled=true",
                "weir.outbox.table=x",
                "weir.pool.size=3",
                "weir.publish.kafka.linger.ms=5",
                "weir.route.replicas.one.url=x",
                "weir.threads.pinning.threshold=1s",
                "weirs.cahce.enabled=true",
            })
    void featuresThatExistAreLeftToTheirOwnChecks(String setting) {
        runner.withPropertyValues(setting).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void ofVariablesThatOthersMayHaveSetOnlySwitchesAreLookedAt() {
        withVariable("WEIR_HOME", "/opt/weir")
                .run(context -> assertThat(context).hasNotFailed());
        withVariable("WEIR_JAVA_HOME", "/opt/java")
                .run(context -> assertThat(context).hasNotFailed());
        withVariable("WEIR_CAHCE_ENABLED", "true")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("the nearest is weir.cache"));
    }

    @Test
    void everyFeatureOfTheStarterIsKnown() {
        var classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.weir.starter");
        assertThat(classes.stream()
                        .filter(type -> type.isAnnotatedWith(ConfigurationProperties.class))
                        .map(FeatureNamesTest::feature))
                .containsExactlyInAnyOrderElementsOf(FeatureNames.ALL);
    }

    private static String feature(JavaClass type) {
        return type.getAnnotationOfType(ConfigurationProperties.class).prefix().substring("weir.".length());
    }

    private ApplicationContextRunner withVariable(String name, String value) {
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, value))));
    }
}
