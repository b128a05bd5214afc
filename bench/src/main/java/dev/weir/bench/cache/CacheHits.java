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
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
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
 * What does a hit cost? 10,000 keys, Zipf by a table; all caches with statistics and a time to live, as the mission's.
 * Command: bench/cache
 */
public class CacheHits {
    private static final int KEYS = 10_000;
    private static final int DRAWS = 1 << 16;

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
                drawn[i] = "product-" + (int) (Math.pow(KEYS, random.nextDouble()) - 1);
            }
        }

        String next() {
            next = (next + 1) & (DRAWS - 1);
            return drawn[next];
        }
    }

    /** Caches in the process, filled. */
    @State(Scope.Benchmark)
    public static class Local {
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
        private final LayeredCaches caches = LayeredCaches.local(CachesConfig.defaults());
        private final LayeredCache<String, String> weir = caches.create(
                CacheConfig.named("weir").withMaxEntries(2 * KEYS).withTtl(Duration.ofHours(1), Duration.ofHours(1)),
                KeyEncoder.text(),
                ValueCodec.of(
                        text -> text.getBytes(StandardCharsets.UTF_8),
                        bytes -> new String(bytes, StandardCharsets.UTF_8)));
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private Cache weirThroughSpring = springs;

        @Setup
        public void fill() {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "bench",
                            Map.of(
                                    "weir.cache.enabled", "true",
                                    "weir.cache.mode", "local",
                                    "weir.cache.caches.products.ttl", "1h",
                                    "weir.cache.caches.products.shared-ttl", "1h",
                                    "weir.cache.caches.products.max-entries", Integer.toString(2 * KEYS))));
            context.register(WeirAutoConfiguration.class, CacheAutoConfiguration.class);
            context.refresh();
            weirThroughSpring =
                    Objects.requireNonNull(context.getBean(CacheManager.class).getCache("products"));
            for (int i = 0; i < KEYS; i++) {
                String key = "product-" + i;
                caffeine.put(key, key);
                springs.put(key, key);
                weir.get(key, asked -> asked);
                weirThroughSpring.get(key, () -> key);
            }
        }

        @TearDown
        public void close() {
            context.close();
            caches.close();
        }
    }

    /** Values in Redis; the process holds next to nothing. */
    @State(Scope.Benchmark)
    public static class Shared {
        @Param("redis://127.0.0.1:6379")
        public String url = "";

        private RedisClient client = RedisClient.create();
        private LayeredCaches caches = LayeredCaches.local(CachesConfig.defaults());
        private @Nullable StatefulRedisConnection<String, byte[]> connection;
        private @Nullable LayeredCache<String, byte[]> weir;

        @Setup
        public void fill() throws InterruptedException {
            client = RedisClient.create(url);
            connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
            caches = RedisCaches.connect(RedisURI.create(url), CachesConfig.defaults(), LoadGuard.none());
            weir = caches.create(
                    CacheConfig.named("bench").withMaxEntries(1).withTtl(Duration.ofHours(1), Duration.ofHours(1)),
                    KeyEncoder.text(),
                    ValueCodec.bytes());
            if (!caches.awaitReady(Duration.ofSeconds(60))) {
                throw new IllegalStateException("Redis at " + url + " does not answer.");
            }
            for (int i = 0; i < KEYS; i++) {
                String key = "product-" + i;
                byte[] value = new byte[312];
                connection.sync().set("plain:" + key, value);
                weir.get(key, asked -> value);
            }
        }

        @TearDown
        public void close() {
            caches.close();
            client.shutdown();
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
        return Objects.requireNonNull(local.weir.peek(keys.next()));
    }

    /** A hit in Weir's cache as Spring's. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localSpringWeir(Local local, Keys keys) {
        return Objects.requireNonNull(local.weirThroughSpring.get(keys.next()));
    }

    /** A plain GET. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object sharedLettuce(Shared shared, Keys keys) {
        return Objects.requireNonNull(shared.connection).sync().get("plain:" + keys.next());
    }

    /** A hit in Redis through Weir; one in twenty thousand is in the process. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object sharedWeir(Shared shared, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(shared.weir).find(keys.next()));
    }
}
