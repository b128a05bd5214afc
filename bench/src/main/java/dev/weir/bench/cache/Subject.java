package dev.weir.bench.cache;

import dev.weir.core.cache.CacheConfig;
import dev.weir.core.cache.CachesConfig;
import dev.weir.core.cache.Eviction;
import dev.weir.core.cache.KeyEncoder;
import dev.weir.core.cache.LayeredCache;
import dev.weir.core.cache.LayeredCaches;
import dev.weir.core.cache.LoadGuard;
import dev.weir.core.cache.RedisCaches;
import dev.weir.core.cache.ValueCodec;
import io.lettuce.core.RedisURI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Function;

/** A two-layer cache under test. */
interface Subject extends AutoCloseable {

    long read(String key, Function<String, Long> loader);

    /** After the write; returns as its own promise says. False where the cache says that Redis does not have it yet, or never. */
    boolean evict(String key);

    void awaitReady() throws InterruptedException;

    @Override
    void close();

    /** Which caches there are. */
    enum Kind {
        WEIR,
        WEIR_STRICT,
        WEIR_LEASE,
        JETCACHE,
        NAIVE;

        String label() {
            return switch (this) {
                case WEIR -> "Weir";
                case WEIR_STRICT -> "Weir, strict";
                case WEIR_LEASE -> "Weir, cluster lease";
                case JETCACHE -> "JetCache";
                case NAIVE -> "naive";
            };
        }
    }

    ValueCodec<Long> NUMBERS = ValueCodec.of(
            number -> ByteBuffer.allocate(Long.BYTES).putLong(number).array(),
            bytes -> ByteBuffer.wrap(bytes).getLong());

    static Subject of(Kind kind, String redis, Duration bound) {
        return switch (kind) {
            case NAIVE -> new NaiveCache(redis);
            case JETCACHE -> new JetSubject(redis);
            case WEIR, WEIR_STRICT, WEIR_LEASE -> new Weir(kind, redis, bound);
        };
    }

    /** Weir's. */
    final class Weir implements Subject {
        private static final Duration READY = Duration.ofSeconds(60);

        private final LayeredCaches caches;
        private final LayeredCache<String, Long> cache;

        private Weir(Kind kind, String redis, Duration bound) {
            CachesConfig common =
                    CachesConfig.defaults().withPrefix("weir-" + kind).withStalenessBound(bound);
            this.caches = RedisCaches.connect(RedisURI.create(redis), common, LoadGuard.none());
            CacheConfig config = CacheConfig.named("versions")
                    .withStrict(kind == Kind.WEIR_STRICT)
                    .withClusterLease(kind == Kind.WEIR_LEASE, Duration.ofSeconds(10))
                    .withTtlWithoutRedis(bound.dividedBy(2));
            this.cache = caches.create(config, KeyEncoder.text(), NUMBERS);
        }

        @Override
        public long read(String key, Function<String, Long> loader) {
            Long found = cache.get(key, loader::apply);
            return found == null ? 0 : found;
        }

        @Override
        public boolean evict(String key) {
            return cache.evict(key) == Eviction.DELIVERED;
        }

        @Override
        public void awaitReady() throws InterruptedException {
            if (!caches.awaitReady(READY)) {
                throw new IllegalStateException("The caches were not ready within " + READY.toSeconds() + " s.");
            }
        }

        @Override
        public void close() {
            caches.close();
        }
    }
}
