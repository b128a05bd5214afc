package dev.weir.starter.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.starter.FeatureStatus;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;

class TargetAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withInitializer(context ->
                    new TargetSettings().postProcessEnvironment(context.getEnvironment(), new SpringApplication()))
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, TargetAutoConfiguration.class));

    @Test
    void offSetsNothing() {
        runner.withPropertyValues("weir.target.rate=10k/s", "weir.target.latency=50ms")
                .run(context -> {
                    assertThat(context.getEnvironment().containsProperty("server.tomcat.threads.max"))
                            .isFalse();
                    assertThat(context.getBean(TargetFeature.class).status()).isEqualTo(FeatureStatus.off());
                });
    }

    /** The table of C, step 2. */
    @Test
    void tomcatIsSizedForTheTarget() {
        on("weir.target.rate=10k/s", "weir.target.latency=50ms").run(context -> {
            TomcatServerProperties tomcat =
                    Binder.get(context.getEnvironment()).bindOrCreate("server.tomcat", TomcatServerProperties.class);
            assertThat(tomcat.getThreads().getMax()).isEqualTo(800);
            assertThat(tomcat.getThreads().getMinSpare()).isEqualTo(100);
            assertThat(tomcat.getAcceptCount()).isEqualTo(1_000);
            assertThat(tomcat.getMaxConnections()).isEqualTo(8_192);
            assertThat(tomcat.getConnectionTimeout()).hasSeconds(5);
            assertThat(tomcat.getKeepAliveTimeout()).hasSeconds(30);
            assertThat(context.getBean(TargetFeature.class).status().settings())
                    .containsEntry("threads.max", "800 (10000/s x 50ms = 500 busy, x 1.6 headroom)")
                    .containsEntry(
                            "max-connections",
                            "8192 (10000/s x 150ms between two requests = 1500 open, x 1.6 headroom, at least 8192)");
        });
    }

    @Test
    void whatTheOwnerSetStaysAndTheTableSaysWhatTheTargetAsksFor() {
        on("weir.target.rate=10k/s", "weir.target.latency=50ms", "server.tomcat.threads.max=200")
                .run(context -> {
                    assertThat(context.getEnvironment().getProperty("server.tomcat.threads.max"))
                            .isEqualTo("200");
                    assertThat(context.getBean(TargetFeature.class).status().settings())
                            .containsEntry(
                                    "threads.max",
                                    "200 (left to server.tomcat.threads.max; the target asks for 800: 10000/s x 50ms"
                                            + " = 500 busy, x 1.6 headroom)");
                });
    }

    @Test
    void instancesShareTheRateAndHeldConnectionsAreCounted() {
        on(
                        "weir.target.rate=12k/s",
                        "weir.target.latency=50ms",
                        "weir.target.instances=6",
                        "weir.target.connection-hold=3ms")
                .run(context -> assertThat(
                                context.getBean(TargetFeature.class).status().settings())
                        .containsEntry("threads.max", "160 (2000/s x 50ms = 100 busy, x 1.6 headroom)")
                        .containsEntry("database connections busy", "6.0 (2000.0/s x 3ms held)"));
    }

    @Test
    void withVirtualThreadsTheNumberIsWhatALimitMustAllow() {
        on("weir.target.rate=10k/s", "weir.target.latency=50ms", "spring.threads.virtual.enabled=true")
                .run(context -> assertThat(
                                context.getBean(TargetFeature.class).status().warnings())
                        .singleElement()
                        .asString()
                        .startsWith("With virtual threads Tomcat ignores threads.max: 800 is"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latency=50ms | weir.target.enabled is true, but weir.target.rate is not set.",
                "rate=1k/s | weir.target.enabled is true, but weir.target.latency is not set.",
                "rate=1k/s latency=0s | weir.target cannot be used: A rate of 1000.0/s, a latency of 0 ms",
                "rate=1000M/s latency=1h | weir.target cannot be used: 5760000000000 threads would be needed",
                "rate=1k/s latency=1s instances=0 | weir.target.instances is '0': it must be from 1 to 10000.",
                "rate=1k/s latency=1s headroom=NaN | weir.target cannot be used: A headroom of NaN was given",
                "rate=1k/s latency=1s connection-hold=-1s | weir.target.connection-hold is '-1000ms'",
            })
    void anAbsurdTargetStopsTheStart(String settings, String sentence) {
        ApplicationContextRunner on = on();
        for (String setting : settings.split(" ", -1)) {
            on = on.withPropertyValues("weir.target." + setting);
        }
        on.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith(sentence));
    }

    private ApplicationContextRunner on(String... settings) {
        return runner.withPropertyValues("weir.target.enabled=true").withPropertyValues(settings);
    }
}
