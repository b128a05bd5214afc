package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.JsonNode;

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
                        "the features are weir.cache, weir.defer, weir.express, weir.outbox, weir.pool, weir.publish, weir.route, weir.shed, weir.target, weir.threads, weir.watch.")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource({"cahce,cache", "rout,route", "pools,pool", "thread,threads", "experss,express", "router,route"})
    void theNearestIsTheOneMeant(String given, String meant) {
        assertThat(FeatureNames.nearest(given)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({
        "weir.cache.enabeld,weir.cache.enabled",
        "weir.cache.defaults.max-entires,weir.cache.defaults.max-entries",
        "weir.cache.caches.products.tll,weir.cache.caches.products.ttl",
        "weir.express.harmles-headers[0],weir.express.harmless-headers",
        "weir.pool.database-core,weir.pool.database-cores",
        "weir.route.replica.one.url,weir.route.replicas.one.url",
        "weir.route.replicas.one.usrname,weir.route.replicas.one.username",
        "weir.route.fallback.max-concurrency,weir.route.fallback.max-concurrent",
        "weir.threads.treshold,weir.threads.pinning.threshold",
        "weir.threads.threshold,weir.threads.pinning.threshold",
    })
    void aSettingThatDoesNotExistStopsTheStartWithTheNearestOne(String given, String meant) {
        runner.withPropertyValues(given + "=1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SettingException.class)
                        .hasMessageStartingWith("There is no setting " + given + " (from ")
                        .hasMessageEndingWith("; the nearest is " + meant + "."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weir.route.fallback=5 | max-concurrent, max-wait",
                "weir.route.replicas.one=jdbc:postgresql://one/shop | url, username, password, weight, hikari",
                "weir.route.replicas=one | <name>",
                "weir.threads.pinning=true | enabled, threshold, max-sites",
                "weir.threads=true | enabled, pinning",
            })
    void aValueForAGroupStopsTheStartWithItsMembers(String given, String members) {
        runner.withPropertyValues(given).run(context -> {
            assertThat(context).getFailure().hasMessageContaining("is no setting but a group of them");
            assertThat(context)
                    .getFailure()
                    .asInstanceOf(InstanceOfAssertFactories.type(SettingException.class))
                    .satisfies(refusal -> assertThat(refusal.action()).endsWith(": " + members + "."));
        });
    }

    @Test
    void aNameLikeNoneOfOursGetsNone() {
        runner.withPropertyValues("weir.route.blue-green=1")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("There is no setting weir.route.blue-green (from ")
                        .hasMessageNotContaining("nearest"));
    }

    @Test
    void aVariableThatIsNoSettingIsWarnedOf(CapturedOutput output) {
        withVariable("WEIR_ROUTE_ENABELD", "true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("There is no setting weir.route.enabeld (from \"WEIR_ROUTE_ENABELD\" from property source")
                .contains("the nearest is weir.route.enabled.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WEIR_ROUTE_MAXLAG",
                "WEIR_ROUTE_MAX_LAG",
                "WEIR_ROUTE_REPLICAS_ONE_URL",
                "WEIR_ROUTE_SESSION_PREVIOUSKEYS_0",
                "WEIR_THREADS_PINNING_MAXSITES",
            })
    void aVariableThatIsASettingIsNot(String variable, CapturedOutput output) {
        withVariable(variable, "1s").run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("There is no setting");
    }

    @ParameterizedTest
    @MethodSource("dev.weir.starter.MetadataTest#properties")
    void everySettingIsKnown(JsonNode property) {
        String name = property.path("name").asString();
        String feature = name.split("\\.", -1)[1];
        assertThat(SettingNames.ofFeature(feature).contains(ConfigurationPropertyName.of(name)))
                .as(name)
                .isTrue();
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
                "weir.route.replicas.[a.b].hikari.data-source-properties.sslmode=x",
                "weir.route.session.previousKeys[0]=x",
                "weir.route.replicas=",
                "weir.route=",
                "weir.cache.caches.[my.cache].maxEntries=7",
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
