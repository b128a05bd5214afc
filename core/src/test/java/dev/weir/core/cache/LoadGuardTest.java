package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads soon after an invalidation that can, or cannot, be kept from the replicas. */
@Timeout(60)
class LoadGuardTest {
    private final Bound guard = new Bound();
    private final LayeredCaches caches = LayeredCaches.local(CachesConfig.defaults(), guard);
    private final LayeredCache<String, String> cache = caches.create(
            CacheConfig.named("products"),
            KeyEncoder.text(),
            ValueCodec.of(
                    text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8)));

    @AfterEach
    void close() {
        caches.close();
    }

    @Test
    void aLoadThatCannotBeFreshIsAnsweredAndNotKept() {
        cache.evict("k");
        guard.bound.add(Thread.currentThread());

        assertThat(cache.get("k", key -> "old")).isEqualTo("old");
        assertThat(cache.peek("k")).isNull();

        guard.bound.remove(Thread.currentThread());
        assertThat(cache.get("k", key -> "new")).isEqualTo("new");
        assertThat(guard.fresh).hasValue(1);
    }

    @Test
    void nobodyElseIsAnsweredWithIt() throws Exception {
        cache.evict("k");
        CountDownLatch loading = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        var bound = new FutureTask<>(() -> {
            guard.bound.add(Thread.currentThread());
            return cache.get("k", key -> {
                loading.countDown();
                end.await();
                return "old";
            });
        });
        Thread.ofVirtual().start(bound);
        loading.await();

        assertThat(cache.get("k", key -> "new")).isEqualTo("new");

        end.countDown();
        assertThat(bound.get(30, TimeUnit.SECONDS)).isEqualTo("old");
        assertThat(cache.get("k", key -> "newer")).isEqualTo("new");
    }

    @Test
    void afterAClearAllLoadsAreFresh() {
        cache.clear();

        cache.get("k", key -> "v");

        assertThat(guard.fresh).hasValue(1);
    }

    @Test
    void withoutAnInvalidationItIsKept() {
        guard.bound.add(Thread.currentThread());

        assertThat(cache.get("k", key -> "v")).isEqualTo("v");
        assertThat(cache.peek("k")).isNotNull();
    }

    /** Some threads have a transaction open on a replica. */
    private static final class Bound implements LoadGuard {
        private final Set<Thread> bound = ConcurrentHashMap.newKeySet();
        private final AtomicInteger fresh = new AtomicInteger();

        @Override
        public <T extends @Nullable Object> T fresh(Callable<T> load) throws Exception {
            fresh.incrementAndGet();
            return load.call();
        }

        @Override
        public boolean canBeFresh() {
            return !bound.contains(Thread.currentThread());
        }
    }
}
