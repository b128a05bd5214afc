package dev.weir.starter.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.WeirAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

@ExtendWith(OutputCaptureExtension.class)
class ThreadsAutoConfigurationTest {

    static final class SlowToInitialize {
        static final long READY = block();

        private SlowToInitialize() {}

        private static long block() {
            long end = System.nanoTime() + Duration.ofMillis(60).toNanos();
            while (end - System.nanoTime() > 0) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            return 1;
        }
    }

    @Test
    void isOffUnlessAskedFor() {
        try (var context = start()) {
            assertThat(Threading.VIRTUAL.isActive(context.getEnvironment())).isFalse();
            assertThat(status(context)).isEqualTo(FeatureStatus.off());
            assertThat(context.getBean(PinningLog.class).watch()).isNull();
        }
    }

    @Test
    void setsVirtualThreadsForTheExecutorsAndSaysSo() {
        try (var context = start("--weir.threads.enabled=true")) {
            assertThat(context.getBean("applicationTaskExecutor")).isInstanceOf(SimpleAsyncTaskExecutor.class);
            assertThat(status(context).state()).isEqualTo(State.ON);
            assertThat(status(context).settings())
                    .containsEntry("virtual", "true (set by weir.threads)")
                    .containsEntry("pinning.threshold", "20ms")
                    .containsEntry("pinned", "0");
        }
    }

    @Test
    void leavesTheUsersOwnValueAlone() {
        try (var context = start("--weir.threads.enabled=true", "--spring.threads.virtual.enabled=false")) {
            assertThat(Threading.VIRTUAL.isActive(context.getEnvironment())).isFalse();
            assertThat(status(context).state()).isEqualTo(State.UNAVAILABLE);
            assertThat(status(context).warnings())
                    .singleElement()
                    .asString()
                    .contains("spring.threads.virtual.enabled is false in the configuration");
        }
    }

    @Test
    void aPinIsCountedAndItsStackLoggedOnce(CapturedOutput output) throws InterruptedException {
        try (var context = start("--weir.threads.enabled=true", "--weir.threads.pinning.threshold=5ms")) {
            var registry = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(registry);

            Thread.ofVirtual()
                    .start(() -> assertThat(SlowToInitialize.READY).isPositive())
                    .join();

            waitUntil(() -> output.getOut().contains("SlowToInitialize.<clinit>"));
            assertThat(output).contains("A virtual thread blocked for ").contains("and kept its carrier");
            var timer = registry.get("weir.threads.pinned").functionTimer();
            assertThat(timer.count()).isEqualTo(1);
            assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isCloseTo(60, within(55.0));
            assertThat(Objects.requireNonNull(status(context).settings().get("pinned.worst")))
                    .contains("SlowToInitialize.block");
        }
    }

    @Test
    void theWatchCanBeSwitchedOffAlone() {
        try (var context = start("--weir.threads.enabled=true", "--weir.threads.pinning.enabled=false")) {
            assertThat(status(context).settings()).containsEntry("pinning", "not watched");
        }
    }

    @Test
    void aServiceWithoutMicrometerStarts() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, ThreadsAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .withPropertyValues("weir.threads.enabled=true")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(ThreadsFeature.class));
    }

    @Test
    void whoeverHasChosenTheConnectionsIsNotWarnedOfThem() {
        var service = new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, ThreadsAutoConfiguration.class))
                .withPropertyValues(
                        "weir.threads.enabled=true",
                        "weir.threads.pinning.enabled=false",
                        "spring.threads.virtual.enabled=true");

        service.run(context -> assertThat(warnings(context))
                .anySatisfy(sentence -> assertThat(sentence).contains("max-connections does (8192)")));
        service.withPropertyValues("server.tomcat.max-connections=2000")
                .run(context -> assertThat(warnings(context))
                        .noneSatisfy(sentence -> assertThat(sentence).contains("max-connections")));
    }

    @Test
    void whileItIsOffNothingIsSaidOfVirtualThreads() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, ThreadsAutoConfiguration.class))
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .run(context -> assertThat(context.getBean(ThreadsFeature.class).status())
                        .isEqualTo(FeatureStatus.off()));
    }

    @Test
    void aThresholdOutOfRangeFailsTheStartWithASentence(CapturedOutput output) {
        assertThatThrownBy(() -> start("--weir.threads.pinning.threshold=0ms")).isNotNull();
        assertThat(output)
                .contains("weir.threads.pinning.threshold is '0s': it must be a duration from 1ms to 1m.")
                .contains("remove the setting for the default of 20ms");
    }

    private static FeatureStatus status(ConfigurableApplicationContext context) {
        return context.getBean(ThreadsFeature.class).status();
    }

    private static List<String> warnings(ApplicationContext context) {
        return context.getBean(ThreadsFeature.class).status().warnings();
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        var application = new SpringApplication(Service.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(arguments);
    }

    private static void waitUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        WeirAutoConfiguration.class,
        ThreadsAutoConfiguration.class,
        TaskExecutionAutoConfiguration.class
    })
    static class Service {}
}
