package dev.weir.bench.cache;

import com.alicp.jetcache.Cache;
import dev.weir.bench.cache.CacheHits.Keys;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Objects;
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
import org.redisson.Redisson;
import org.redisson.api.RLocalCachedMap;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.LocalCachedMapOptions;
import org.redisson.api.options.LocalCachedMapOptions.CacheProvider;
import org.redisson.api.options.LocalCachedMapOptions.ReconnectionStrategy;
import org.redisson.api.options.LocalCachedMapOptions.SyncStrategy;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.Codec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;

/** {@link CacheHits} of other two-layer caches, by their own interfaces: neither offers Spring's for free. Command: bench/cache */
public class PeerHits {
    static final Codec CODEC = new CompositeCodec(StringCodec.INSTANCE, ByteArrayCodec.INSTANCE);

    private static final Duration TTL = Duration.ofHours(1);

    /** JetCache's two layers. */
    @State(Scope.Benchmark)
    public static class Jet {
        @Param("redis://127.0.0.1:6379")
        public String url = "";

        private @Nullable JetCaches caches;
        private @Nullable Cache<String, byte[]> both;

        @Setup
        public void fill() {
            caches = new JetCaches(url, "jet-hits", Duration.ofSeconds(10));
            both = caches.both("both:", 2 * CacheHits.KEYS, TTL, TTL);
            for (int i = 0; i < CacheHits.KEYS; i++) {
                both.put(CacheHits.key(i), CacheHits.value());
            }
            // What still answers afterwards is in the process.
            empty(url);
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(caches).close();
        }
    }

    /** Redisson's local cached map on Caffeine. */
    @State(Scope.Benchmark)
    public static class Red {
        @Param("redis://127.0.0.1:6379")
        public String url = "";

        private @Nullable RedissonClient client;
        private @Nullable RLocalCachedMap<String, byte[]> local;

        @Setup
        public void fill() {
            var config = new Config();
            config.useSingleServer().setAddress(url);
            client = Redisson.create(config);
            local = client.getLocalCachedMap(LocalCachedMapOptions.<String, byte[]>name("red:local")
                    .codec(CODEC)
                    .cacheProvider(CacheProvider.CAFFEINE)
                    .cacheSize(2 * CacheHits.KEYS)
                    .timeToLive(TTL)
                    .syncStrategy(SyncStrategy.INVALIDATE)
                    .reconnectionStrategy(ReconnectionStrategy.CLEAR));
            for (int i = 0; i < CacheHits.KEYS; i++) {
                local.fastPut(CacheHits.key(i), CacheHits.value());
            }
            empty(url);
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(client).shutdown();
        }
    }

    private static void empty(String url) {
        RedisClient admin = RedisClient.create(url);
        try (StatefulRedisConnection<String, String> connection = admin.connect()) {
            connection.sync().flushall();
        } finally {
            admin.shutdown();
        }
    }

    /** A hit in JetCache's local layer of two. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localJetCache(Jet jet, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(jet.both).get(keys.next()));
    }

    /** A hit in Redisson's local cached map. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object localRedisson(Red red, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(red.local).get(keys.next()));
    }
}
