package dev.weir.bench.cache;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.CachesConfig;
import dev.weir.core.cache.KeyEncoder;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.LoadGuard;
import dev.weir.core.cache.RedisCaches;
import dev.weir.core.cache.ValueCodec;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.cache.CacheAutoConfiguration;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.caffeine.CaffeineCache;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * What does a hit in the process cost? 10,000 keys, Zipf by a table; all caches with statistics and a time to live, as the mission's.
 * Command: bench/cache
 */
public class CacheHits {
    static final int KEYS = 10_000;

    private static final int DRAWS = 1 << 16;
    private static final int VALUE_BYTES = 312;
    private static final Duration READY = Duration.ofSeconds(60);

    static String key(int number) {
        return "product-" + number;
    }

    static byte[] value() {
        return new byte[VALUE_BYTES];
    }

    /** The keys in the order asked for. */
    @State(Scope.Thread)
    public static class Keys {
        private final String[] drawn = new String[DRAWS];
        private int next;

        /** Ranks by the inverse of the harmonic distribution's integral. */
        @Setup
        public void draw() {
            SplittableRandom random = new SplittableRandom(42);
            for (int i = 0; i < DRAWS; i++) {
                drawn[i] = key((int) (Math.pow(KEYS, random.nextDouble()) - 1));
            }
        }

        String next() {
            next = (next + 1) & (DRAWS - 1);
            return drawn[next];
        }
    }

    /** Caches filled in the process; Weir's with Redis behind it and invalidations from there, as in a service. */
    @State(Scope.Benchmark)
    public static class Local {
        @Param("redis://127.0.0.1:6379")
        public String url = "";

        private final com.github.benmanes.caffeine.cache.Cache<Object, Object> caffeine = Caffeine.newBuilder()
                .maximumSize(2 * KEYS)
                .expireAfterWrite(Duration.ofHours(1))
                .recordStats()
                .build();
        private final CaffeineCache springs = new CaffeineCache(
                "springs",
                Caffeine.newBuilder()
                        .maximumSize(2 * KEYS)
                        .expireAfterWrite(Duration.ofHours(1))
                        .recordStats()
                        .build());
        private LayeredCaches caches = LayeredCaches.local(CachesConfig.defaults());
        private @Nullable LayeredCache<String, byte[]> weir;
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private Cache weirThroughSpring = springs;

        @Setup
        public void fill() throws InterruptedException {
            caches = RedisCaches.connect(RedisURI.create(url), CachesConfig.defaults(), LoadGuard.none());
            weir = caches.create(
                    CacheConfig.named("weir")
                            .withMaxEntries(2 * KEYS)
                            .withTtl(Duration.ofHours(1), Duration.ofHours(1)),
                    KeyEncoder.text(),
                    ValueCodec.bytes());
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "bench",
                            Map.of(
                                    "weir.cache.enabled", "true",
                                    "weir.cache.url", url,
                                    "weir.cache.prefix", "spring",
                                    "weir.cache.caches.products.ttl", "1h",
                                    "weir.cache.caches.products.shared-ttl", "1h",
                                    "weir.cache.caches.products.max-entries", Integer.toString(2 * KEYS))));
            context.register(WeirAutoConfiguration.class, CacheAutoConfiguration.class);
            context.refresh();
            weirThroughSpring =
                    Objects.requireNonNull(context.getBean(CacheManager.class).getCache("products"));
            awaitReady(caches);
            for (int i = 0; i < KEYS; i++) {
                caffeine.put(key(i), value());
                springs.put(key(i), value());
            }
            // A lost beat in between drops what is there, so fill until all of it is.
            for (int filled = 0; filled < KEYS; ) {
                filled = fillWeir(weir);
            }
        }

        private int fillWeir(LayeredCache<String, byte[]> weir) {
            int there = 0;
            for (int i = 0; i < KEYS; i++) {
                weir.get(key(i), asked -> value());
                weirThroughSpring.get(key(i), CacheHits::value);
                there += weir.peek(key(i)) == null ? 0 : 1;
            }
            return there;
        }

        @TearDown
        public void close() {
            context.close();
            caches.close();
        }
    }

    private static void awaitReady(LayeredCaches caches) throws InterruptedException {
        if (!caches.awaitReady(READY)) {
            throw new IllegalStateException("The caches were not ready within " + READY.toSeconds() + " s.");
        }
    }

    /** A hit in the process, by Caffeine alone. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localCaffeine(Local local, Keys keys) {
        return Objects.requireNonNull(local.caffeine.getIfPresent(keys.next()));
    }

    /** A hit in Spring's cache over Caffeine. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localSpringCaffeine(Local local, Keys keys) {
        return Objects.requireNonNull(local.springs.get(keys.next()));
    }

    /** A hit in Weir's plain API. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localWeir(Local local, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(local.weir).peek(keys.next()));
    }

    /** A hit in Weir's cache as Spring's. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localSpringWeir(Local local, Keys keys) {
        return Objects.requireNonNull(local.weirThroughSpring.get(keys.next()));
    }
}
