package dev.weir.starter.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.LayeredCache;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.route.ReplicaStaleness;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

@ExtendWith(OutputCaptureExtension.class)
class CacheAutoConfigurationTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, CacheAutoConfiguration.class));

    @Test
    void isOffUnlessAskedFor() {
        runner.run(context -> {
            assertThat(context).doesNotHaveBean(CacheManager.class);
            assertThat(status(context)).isEqualTo(FeatureStatus.off());
        });
    }

    @Test
    void makesTheCachesOfTheConfigurationAndOthersOnDemand() {
        runner.withPropertyValues(
                        "weir.cache.enabled=true",
                        "weir.cache.mode=local",
                        "weir.cache.defaults.ttl=10s",
                        "weir.cache.caches.prices.strict=true",
                        "weir.cache.caches.prices.max-entries=7")
                .run(context -> {
                    CacheManager manager = context.getBean(CacheManager.class);
                    assertThat(manager.getCacheNames()).containsExactly("prices");
                    LayeredCache<?, ?> prices = nativeCache(manager, "prices");
                    assertThat(prices.config().strict()).isTrue();
                    assertThat(prices.config().maxEntries()).isEqualTo(7);
                    assertThat(prices.config().ttl()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(nativeCache(manager, "other").config().strict()).isFalse();
                    assertThat(status(context).state()).isEqualTo(State.ON);
                });
    }

    @Test
    void standsBackForACacheManagerOfTheApplication() {
        runner.withPropertyValues("weir.cache.enabled=true")
                .withBean(CacheManager.class, NoOpCacheManager::new)
                .run(context -> {
                    assertThat(context).hasSingleBean(CacheManager.class);
                    assertThat(context.getBean(CacheManager.class)).isInstanceOf(NoOpCacheManager.class);
                    assertThat(status(context).state()).isEqualTo(State.UNAVAILABLE);
                });
    }

    @Test
    void isUnavailableWithoutCaffeine() {
        runner.withPropertyValues("weir.cache.enabled=true")
                .withClassLoader(new FilteredClassLoader(Caffeine.class))
                .run(context -> assertThat(status(context).state()).isEqualTo(State.UNAVAILABLE));
    }

    @Test
    void worksWithoutRedisAndSaysSo() {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.url=redis://127.0.0.1:1")
                .run(context -> {
                    Cache cache = cache(context.getBean(CacheManager.class), "products");

                    assertThat(cache.get("k", () -> "v")).isEqualTo("v");
                    cache.evict("k");

                    assertThat(cache.get("k", () -> "w")).isEqualTo("w");
                    assertThat(status(context).warnings())
                            .as("that Redis does not answer cannot be known yet")
                            .singleElement()
                            .asString()
                            .contains("1 evictions that Redis does not know of");
                    assertThat(status(context).settings())
                            .containsEntry("nodes", "not proven yet")
                            .containsEntry("redis", "not used yet");
                });
    }

    @Test
    void saysThatRedisDoesNotAnswerWhenItHasHadTheTimeTo() {
        runner.withPropertyValues(
                        "weir.cache.enabled=true",
                        "weir.cache.url=redis://127.0.0.1:1",
                        "weir.cache.staleness-bound=100ms",
                        "weir.cache.defaults.ttl-without-redis=100ms",
                        "weir.cache.command-timeout=50ms")
                .run(context -> {
                    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                    while (status(context).warnings().isEmpty() && System.nanoTime() < deadline) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                    }
                    assertThat(status(context).warnings())
                            .singleElement()
                            .asString()
                            .startsWith("Redis has not answered");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weir.cache.caches.prices.ttl-jitter=0.9 | Cache prices: ttl-jitter is 0.9; allowed is 0 to 0.5",
                "weir.cache.caches.prices.ttl-without-redis=3s | allowed is 0 to the staleness bound (PT2S)",
                "weir.cache.staleness-bound=1ms | staleness-bound is PT0.001S; allowed is 100 ms to 1 min",
                "weir.cache.command-timeout=3s | command-timeout is PT3S; allowed is 1 ms to staleness-bound (PT2S)",
                "weir.cache.max-refreshes=0 | max-refreshes is 0; allowed is 1 to 10,000",
                "weir.cache.defaults.max-entries=0 | max-entries is 0; allowed is 1 to 10,000,000",
                "weir.cache.url=nonsense | weir.cache.url is 'nonsense'",
                "weir.cache.caches.prices.type=no.such.Type | weir.cache.caches.prices.type is 'no.such.Type'",
            })
    void refusesValuesThatCannotBeUsed(String setting, String sentence) {
        runner.withPropertyValues("weir.cache.enabled=true", setting)
                .run(context ->
                        assertThat(context).hasFailed().getFailure().rootCause().hasMessageContaining(sentence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.cluster.nodes=127.0.0.1:1",
                "spring.data.redis.sentinel.nodes=127.0.0.1:1 spring.data.redis.sentinel.master=m",
            })
    void refusesWhatItCannotSpeakTo(String settings) {
        runner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("weir.cache.enabled=true")
                .withPropertyValues(settings.split(" "))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("one server or a failover address"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"reddis://user:hidden-word@127.0.0.1:1", "user:hidden-word@127.0.0.1", "redis:/:hidden-word@h"})
    void anAddressThatIsRefusedIsShownWithoutItsPassword(String url) {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.url=" + url)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("***@")
                        .hasMessageNotContaining("hidden-word"));
    }

    @Test
    void refusesTheAddressOfSentinels() {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.url=redis-sentinel://127.0.0.1:1#m")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("does not speak to sentinels"));
    }

    @Test
    void saysOnceWhyRedisCannotBeReached(CapturedOutput output) {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.url=redis://127.0.0.1:1")
                .run(context -> {
                    long start = System.nanoTime();
                    while (times("No connection to Redis at 127.0.0.1:1: ", output) < 1
                            && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20)) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                    }
                });

        assertThat(times("No connection to Redis at 127.0.0.1:1: ", output)).isEqualTo(1);
    }

    private static int times(String sentence, CapturedOutput output) {
        return output.getAll().split(sentence, -1).length - 1;
    }

    @Test
    void withReplicasTheGuardLastsAsLongAsOneMayBeLate() {
        replicated(ofReplicas(Duration.ofMillis(13_300))).run(context -> {
            CacheManager manager = context.getBean(CacheManager.class);
            assertThat(nativeCache(manager, "prices").config().guardFor()).isEqualTo(Duration.ofMillis(13_300));
            assertThat(nativeCache(manager, "on-demand").config().guardFor()).isEqualTo(Duration.ofMillis(13_300));
        });
        replicated(ofReplicas(Duration.ofMillis(100)))
                .run(context -> assertThat(nativeCache(context.getBean(CacheManager.class), "prices")
                                .config()
                                .guardFor())
                        .isEqualTo(CacheConfig.named("prices").guardFor()));
        replicated(ofReplicas(Duration.ofMillis(13_300)), "weir.cache.caches.prices.guard-for=15s")
                .run(context -> assertThat(nativeCache(context.getBean(CacheManager.class), "prices")
                                .config()
                                .guardFor())
                        .isEqualTo(Duration.ofSeconds(15)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.cache.caches.prices.guard-for", "weir.cache.defaults.guard-for"})
    void aGuardShorterThanAReplicaMayBeLateIsRefused(String property) {
        replicated(ofReplicas(Duration.ofMillis(13_300)), property + "=3s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessageStartingWith(
                                property + " is '3000ms': it must be at least 13300ms, for how long a"));
    }

    @Test
    void theCodecsAreAskedOutsideOfAnyLockAndOneCacheIsMadeOfEachName() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        CacheCodecs meeting = cache -> {
            try {
                both.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("only one thread got here", e);
            }
            return null;
        };
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.mode=local")
                .withBean(CacheCodecs.class, () -> meeting)
                .run(context -> {
                    CacheManager manager = context.getBean(CacheManager.class);
                    var other = new FutureTask<>(() -> cache(manager, "products"));
                    Thread.ofVirtual().start(other);
                    assertThat(cache(manager, "products")).isSameAs(other.get(60, TimeUnit.SECONDS));
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {Futures.class, Monos.class})
    void methodsWhoseValueComesLaterMustBeSynchronized(Class<?> service) {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.mode=local")
                .withUserConfiguration(Caching.class, service)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SettingException.class)
                        .hasMessageStartingWith("sync of @Cacheable on " + service.getName() + ".byId is 'false'"));
    }

    @Test
    void methodsWhoseValueComesLaterAreCachedWhereTheyAreSynchronized() {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.mode=local")
                .withUserConfiguration(Caching.class, Synchronized.class)
                .run(context -> {
                    Synchronized service = context.getBean(Synchronized.class);
                    assertThat(service.byId("a").join()).isEqualTo(1);
                    assertThat(service.byId("a").join()).isEqualTo(1);
                    assertThat(service.mono("a").block()).isEqualTo(2);
                    assertThat(service.mono("a").block()).isEqualTo(2);
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class Caching {}

    static class Futures {
        @Cacheable("products")
        public CompletableFuture<String> byId(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class Monos {
        @Cacheable("products")
        public Mono<String> byId(String id) {
            return Mono.just(id);
        }
    }

    static class Synchronized {
        private final AtomicInteger calls = new AtomicInteger();

        @Cacheable(cacheNames = "products", sync = true)
        public CompletableFuture<Integer> byId(String id) {
            return CompletableFuture.supplyAsync(calls::incrementAndGet);
        }

        @Cacheable(cacheNames = "monos", sync = true)
        public Mono<Integer> mono(String id) {
            return Mono.fromCallable(calls::incrementAndGet);
        }
    }

    private ApplicationContextRunner replicated(ReplicaStaleness staleness, String... settings) {
        return runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.mode=local")
                .withPropertyValues("weir.cache.caches.prices.strict=true")
                .withPropertyValues(settings)
                .withBean(ReplicaStaleness.class, () -> staleness);
    }

    private static ReplicaStaleness ofReplicas(Duration longest) {
        return new ReplicaStaleness(longest);
    }

    @Test
    void countsByLayerUnderMicrometersNames() {
        runner.withPropertyValues("weir.cache.enabled=true", "weir.cache.mode=local")
                .run(context -> {
                    SimpleMeterRegistry registry = new SimpleMeterRegistry();
                    context.getBean(CacheMeters.class).bindTo(registry);
                    Cache cache = cache(context.getBean(CacheManager.class), "products");
                    cache.get("k", () -> "v");
                    cache.get("k", () -> "not asked");

                    assertThat(registry.get("cache.gets")
                                    .tags("cache", "products", "layer", "local", "result", "hit")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("cache.size")
                                    .tags("cache", "products", "layer", "local")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                    assertThat(registry.get("weir.cache.staleness.longest")
                                    .timeGauge()
                                    .value())
                            .isZero();
                });
    }

    private static FeatureStatus status(ApplicationContext context) {
        return context.getBean(CacheFeature.class).status();
    }

    private static Cache cache(CacheManager manager, String name) {
        return Objects.requireNonNull(manager.getCache(name));
    }

    private static LayeredCache<?, ?> nativeCache(CacheManager manager, String name) {
        return (LayeredCache<?, ?>) cache(manager, name).getNativeCache();
    }
}
