package dev.weir.starter.express;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.express.CaffeineHotEntries;
import dev.weir.core.express.ExpressRoute;
import dev.weir.core.express.PortLane;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ExpressAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, ExpressAutoConfiguration.class));

    @Test
    void isOffUnlessAskedFor() {
        runner.run(context -> {
            assertThat(context.getBean(ExpressFeature.class).status()).isEqualTo(FeatureStatus.off());
            assertThat(context).doesNotHaveBean(PortLane.class);
        });
    }

    @Test
    void showsWithoutAWarningThatDeclaredRoutesAreNotUsedWhileItIsOff() {
        runner.withUserConfiguration(OneRoute.class)
                .run(context -> assertThat(context.getBean(ExpressFeature.class).status())
                        .isEqualTo(new FeatureStatus(State.OFF, Map.of("routes", "1 declared, not used"), List.of())));
    }

    @Test
    void needsAnApplicationOfServlets() {
        runner.withPropertyValues("weir.express.enabled=true")
                .run(context -> assertThat(
                                context.getBean(ExpressFeature.class).status().state())
                        .isEqualTo(State.UNAVAILABLE));
    }

    @Test
    void startsWithoutTomcatSecurityAndServlets() {
        runner.withClassLoader(new FilteredClassLoader(
                        "org.apache.catalina", "org.apache.coyote", "org.springframework.security", "jakarta.servlet"))
                .withPropertyValues("weir.express.enabled=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void refusesBadValuesInASentence() {
        runner.withPropertyValues("weir.express.pollers=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("weir.express.pollers is '0': it must be a number from 1 to 64."));
        runner.withPropertyValues("weir.express.largest-answer=10B")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("weir.express.largest-answer is '10B'"));
        runner.withPropertyValues("weir.express.largest-answer=16777217B")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("weir.express.largest-answer is '16777217B': it must be a size from 1KB to 16MB."));
        runner.withPropertyValues("weir.express.drain=2m")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("weir.express.drain is '2m'"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OneRoute {
        @Bean
        ExpressRoute<String, String> route() {
            CaffeineHotEntries<String, String> entries =
                    new CaffeineHotEntries<>(10, Duration.ofMinutes(1), key -> "hello");
            return ExpressRoute.of("/hello", key -> key, entries)
                    .produces("text/plain", text -> text.getBytes(StandardCharsets.UTF_8))
                    .build();
        }
    }
}
