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
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.LocalCachedMapOptions;
import org.redisson.api.options.LocalCachedMapOptions.CacheProvider;
import org.redisson.api.options.LocalCachedMapOptions.ReconnectionStrategy;
import org.redisson.api.options.LocalCachedMapOptions.SyncStrategy;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;

/** {@link CacheHits} of other two-layer caches, by their own interfaces: neither offers Spring's for free. Command: bench/cache */
public class PeerHits {
    private static final Duration TTL = Duration.ofHours(1);

    /** JetCache's two layers, and its Redis layer alone. */
    @State(Scope.Benchmark)
    public static class Jet {
        @Param("redis://127.0.0.1:6379")
        public String url = "";

        private @Nullable JetCaches caches;
        private @Nullable Cache<String, byte[]> both;
        private @Nullable Cache<String, byte[]> remote;

        @Setup
        public void fill() {
            caches = new JetCaches(url, "jet-hits", Duration.ofSeconds(10));
            both = caches.both("both:", 2 * CacheHits.KEYS, TTL, TTL);
            remote = caches.remote("remote:", TTL);
            for (int i = 0; i < CacheHits.KEYS; i++) {
                both.put(CacheHits.key(i), CacheHits.value());
            }
            // What still answers afterwards is in the process.
            empty(url);
            for (int i = 0; i < CacheHits.KEYS; i++) {
                remote.put(CacheHits.key(i), CacheHits.value());
            }
            for (int i = 0; i < CacheHits.KEYS; i++) {
                if (remote.get(CacheHits.key(i)) == null) {
                    throw new IllegalStateException("JetCache has lost " + CacheHits.key(i) + ".");
                }
            }
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(caches).close();
        }
    }

    /** Redisson's local cached map on Caffeine, its map and its bucket. */
    @State(Scope.Benchmark)
    public static class Red {
        @Param("redis://127.0.0.1:6379")
        public String url = "";

        private @Nullable RedissonClient client;
        private @Nullable RLocalCachedMap<String, byte[]> local;
        private @Nullable RMap<String, byte[]> map;

        @Setup
        public void fill() {
            var config = new Config();
            config.useSingleServer().setAddress(url);
            client = Redisson.create(config);
            var codec = new CompositeCodec(StringCodec.INSTANCE, ByteArrayCodec.INSTANCE);
            local = client.getLocalCachedMap(LocalCachedMapOptions.<String, byte[]>name("red:local")
                    .codec(codec)
                    .cacheProvider(CacheProvider.CAFFEINE)
                    .cacheSize(2 * CacheHits.KEYS)
                    .timeToLive(TTL)
                    .syncStrategy(SyncStrategy.INVALIDATE)
                    .reconnectionStrategy(ReconnectionStrategy.CLEAR));
            map = client.getMap("red:map", codec);
            for (int i = 0; i < CacheHits.KEYS; i++) {
                local.fastPut(CacheHits.key(i), CacheHits.value());
            }
            empty(url);
            for (int i = 0; i < CacheHits.KEYS; i++) {
                map.fastPut(CacheHits.key(i), CacheHits.value());
                client.getBucket("red:" + CacheHits.key(i), ByteArrayCodec.INSTANCE)
                        .set(CacheHits.value());
            }
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

    /** A hit in Redis through JetCache's remote cache. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object sharedJetCache(Jet jet, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(jet.remote).get(keys.nextEvenly()));
    }

    /** A GET through Redisson's bucket. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object sharedRedissonBucket(Red red, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(red.client)
                .getBucket("red:" + keys.nextEvenly(), ByteArrayCodec.INSTANCE)
                .get());
    }

    /** A hit in Redis through Redisson's map. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.NANOSECONDS)
    public Object sharedRedissonMap(Red red, Keys keys) {
        return Objects.requireNonNull(Objects.requireNonNull(red.map).get(keys.nextEvenly()));
    }
}
