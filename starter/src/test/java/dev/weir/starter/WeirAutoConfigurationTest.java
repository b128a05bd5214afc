package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.starter.FeatureStatus.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class WeirAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, WeirEndpointAutoConfiguration.class));

    @Test
    void theEndpointShowsEveryFeatureByNameAsItStandsNow() {
        var quick = new Settable("quick");
        var broken = new Broken();

        runner.withPropertyValues("management.endpoints.web.exposure.include=weir")
                .withBean("quick", WeirFeature.class, () -> quick)
                .withBean("broken", WeirFeature.class, () -> broken)
                .run(context -> {
                    WeirEndpoint endpoint = context.getBean(WeirEndpoint.class);
                    assertThat(endpoint.features().features()).containsOnlyKeys("broken", "quick");

                    quick.status = new FeatureStatus(State.DRY_RUN, Map.of("size", "3"), List.of("Mind the gap."));

                    var answer = Objects.requireNonNull(
                            endpoint.features().features().get("quick"));
                    assertThat(answer.state()).isEqualTo("dry run");
                    assertThat(answer.settings()).containsEntry("size", "3");
                    assertThat(answer.warnings()).containsExactly("Mind the gap.");
                });
    }

    @Test
    void aFeatureThatFailsToTellItsStatusDoesNotHideTheOthers() {
        var features = new Features(() -> List.<WeirFeature>of(new Broken(), new Settable("quick")).stream());

        assertThat(features.now()).extracting(Features.Entry::name).containsExactly("broken", "quick");
        assertThat(features.now().getFirst().status().state()).isEqualTo(State.UNAVAILABLE);
        assertThat(features.now().getFirst().status().warnings())
                .singleElement()
                .asString()
                .contains("no luck");
        assertThat(features.isOn("broken")).isFalse();
    }

    @Test
    void theEndpointIsNotThereUnlessItIsExposed() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(WeirEndpoint.class));
    }

    @Test
    void aServiceWithoutTheActuatorStarts() {
        runner.withClassLoader(new FilteredClassLoader(Endpoint.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Features.class));
    }

    @Test
    void theTableHasALineAFeature() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("entries", "10000");
        settings.put("ttl", "30s");
        var on = new Features.Entry("cache", new FeatureStatus(State.ON, settings, List.of("Redis is away.")));
        var off = new Features.Entry("threads", FeatureStatus.off());

        assertThat(StartTable.render(List.of(on, off)).lines())
                .containsExactly("", "  cache    on           entries=10000, ttl=30s (1 warning)", "  threads  off");
    }

    @Test
    void theTableIsLoggedWhenTheApplicationIsReady(CapturedOutput output) {
        var application = new SpringApplication(Service.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        application.run("--spring.main.banner-mode=off").close();

        assertThat(output).contains("Weir's features:").contains("  quick  ").contains("weir.quick: Do it now.");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(WeirAutoConfiguration.class)
    static class Service {

        @Bean
        WeirFeature quick() {
            var feature = new Settable("quick");
            feature.status = new FeatureStatus(State.ON, Map.of("size", "3"), List.of("Do it now."));
            return feature;
        }
    }

    private static final class Settable implements WeirFeature {

        private final String name;
        private volatile FeatureStatus status = FeatureStatus.off();

        Settable(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FeatureStatus status() {
            return status;
        }
    }

    private static final class Broken implements WeirFeature {

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public FeatureStatus status() {
            throw new IllegalStateException("no luck");
        }
    }
}
