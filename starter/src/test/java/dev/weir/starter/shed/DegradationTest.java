package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.ServicePressure;
import dev.weir.core.shed.ShedConfig;
import dev.weir.core.shed.Signals;
import dev.weir.core.shed.Stage;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.cache.CacheAutoConfiguration;
import dev.weir.starter.defer.DeferAutoConfiguration;
import dev.weir.starter.defer.Deferred;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;

/** A service that gives up one thing after another before it refuses anybody. */
class DegradationTest {

    private final AtomicLong nanos = new AtomicLong();
    private final Admission admission = new Admission(ShedConfig.fixed(10), nanos::get, 1);
    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    WeirAutoConfiguration.class,
                    ShedAutoConfiguration.class,
                    CacheAutoConfiguration.class,
                    DeferAutoConfiguration.class))
            .withBean(Admission.class, () -> admission)
            .withPropertyValues(
                    "weir.defer.enabled=true",
                    "weir.cache.enabled=true",
                    "weir.cache.mode=local",
                    "weir.cache.defaults.ttl=1ms",
                    "weir.cache.defaults.negative-ttl=0s",
                    "weir.cache.defaults.ttl-without-redis=1ms",
                    "weir.cache.caches.products.stale-on-pressure-for=10m");

    private void fullness(double publisher) {
        admission.signals(new Signals(0, publisher, 0));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    private static Cache expired(CacheManager manager, String name) {
        Cache cache = Objects.requireNonNull(manager.getCache(name));
        cache.put("key", "old");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (cache.get("key") != null && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(cache.get("key")).isNull();
        return cache;
    }

    @Test
    void bestEffortGoesFirstThenOldAnswersAreServedAndOnlyThenAnybodyIsRefused() {
        service.run(context -> {
            Deferred deferred = context.getBean(Deferred.class);
            CacheManager manager = context.getBean(CacheManager.class);
            Cache products = expired(manager, "products");
            Cache prices = expired(manager, "prices");
            ServicePressure pressure = context.getBean(ServicePressure.class);
            assertThat(deferred.bestEffort(() -> {})).isTrue();

            fullness(0.74);
            assertThat(pressure.stage()).isEqualTo(Stage.DROP_BEST_EFFORT);
            assertThat(deferred.bestEffort(() -> {})).isFalse();
            assertThat(products.get("key")).isNull();

            fullness(0.8);
            assertThat(pressure.stage()).isEqualTo(Stage.DEFER_TO_OUTBOX);
            assertThat(products.get("key")).isNull();

            fullness(0.9);
            assertThat(pressure.stage()).isEqualTo(Stage.SERVE_STALE);
            assertThat(Objects.requireNonNull(products.get("key")).get()).isEqualTo("old");
            assertThat(prices.get("key")).isNull();
            assertThat(admission.tryEnter(Priority.LOW, 1)).isNotNegative();

            for (int i = 0; i < 20; i++) {
                admission.tryEnter(Priority.LOW, i);
            }
            fullness(0.9);
            assertThat(pressure.stage()).isEqualTo(Stage.REFUSE_LOW);

            products.evict("key");
            assertThat(products.get("key")).isNull();
        });
    }

    @Test
    void aDryRunGivesUpNothing() {
        var dry = new Admission(ShedConfig.fixed(10).asDryRun(), nanos::get, 1);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, ShedAutoConfiguration.class))
                .withBean(Admission.class, () -> dry)
                .run(context -> {
                    dry.signals(new Signals(0, 1, 0));
                    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
                    assertThat(dry.stage()).isEqualTo(Stage.SERVE_STALE);
                    assertThat(context.getBean(ServicePressure.class).stage()).isEqualTo(Stage.NORMAL);
                });
    }
}
