package dev.weir.bench.cache;

import com.alicp.jetcache.Cache;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Function;

/** JetCache's both layers, with the times to live of {@link NaiveCache}. */
final class JetSubject implements Subject {
    private static final int ENTRIES = 10_000;
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(250);

    private final JetCaches caches;
    private final Cache<String, byte[]> cache;

    JetSubject(String redis) {
        caches = new JetCaches(redis, "jetcache:invalidations", COMMAND_TIMEOUT);
        cache = caches.both("versions:", ENTRIES, Duration.ofSeconds(30), Duration.ofMinutes(5));
    }

    @Override
    public long read(String key, Function<String, Long> loader) {
        byte[] value = cache.computeIfAbsent(
                key,
                asked -> ByteBuffer.allocate(Long.BYTES)
                        .putLong(loader.apply(asked))
                        .array());
        return ByteBuffer.wrap(value).getLong();
    }

    @Override
    public boolean evict(String key) {
        return cache.remove(key);
    }

    @Override
    public void awaitReady() {}

    @Override
    public void close() {
        caches.close();
    }
}
