package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Refresh ahead. Its reloads run when the test says so, or when somebody waits for one. */
class LoadingTest {
    private static final CacheConfig AHEAD = CacheConfig.named("texts")
            .withTtlJitter(0)
            .withTtl(Duration.ofSeconds(30), Duration.ofMinutes(5))
            .withRefreshAfter(Duration.ofSeconds(10));

    private final Deque<Runnable> reloads = new ArrayDeque<>();
    private long nowNanos;
    private boolean refusing;
    private boolean pressed;

    private final class RunWhatIsWaitedFor implements Waits {
        @Override
        public <T extends @Nullable Object> T get(CompletableFuture<T> future, long timeoutNanos)
                throws ExecutionException, TimeoutException, InterruptedException {
            runReloads();
            return future.get();
        }

        @Override
        public void pause(long nanos) {
            nowNanos += nanos;
        }
    }

    @Test
    void atMostSoManyReloadsAreUnderWay() {
        LayeredCache<String, String> cache = cache(AHEAD, 2);
        for (int i = 0; i < 5; i++) {
            cache.get("k" + i, key -> "v1");
        }
        pass(Duration.ofSeconds(10));

        hitAll(cache);
        hitAll(cache);
        assertThat(reloads).hasSize(2);
        assertThat(cache.stats().refreshes()).isEqualTo(2);

        runReloads();
        hitAll(cache);
        runReloads();
        hitAll(cache);
        runReloads();
        assertThat(cache.stats().refreshes()).isEqualTo(5);
        assertThat(cache.get("k4", key -> "not asked")).isEqualTo("v2");
    }

    @Test
    void aReloadThatCannotBeginTakesNoRoomAndHoldsUpNobody() {
        LayeredCache<String, String> cache = cache(AHEAD, 1);
        cache.get("k", key -> "v1");
        pass(Duration.ofSeconds(10));

        refusing = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> cache.get("k", key -> "v2")).isInstanceOf(RejectedExecutionException.class);
        }
        refusing = false;
        assertThat(cache.get("k", key -> "v2")).isEqualTo("v1");
        runReloads();
        assertThat(cache.get("k", key -> "not asked")).isEqualTo("v2");
    }

    @Test
    void theProcessHoldsNoMoreThanItMayRightAfterAFill() {
        LayeredCache<String, String> cache = cache(AHEAD.withMaxEntries(10), 2);
        for (int i = 0; i < 100; i++) {
            cache.get("k" + i, key -> "v1");
            assertThat(cache.stats().entries()).isLessThanOrEqualTo(10);
        }
        assertThat(cache.stats().evictionsBySize()).isEqualTo(90);
    }

    @Test
    void aLoaderInTroubleIsAskedAFewTimesAheadOfExpiryAndNotOncePerHit() {
        LayeredCache<String, String> cache = cache(AHEAD, 16);
        cache.get("k", key -> "v1");
        AtomicInteger attempts = new AtomicInteger();
        pass(Duration.ofSeconds(10));

        for (int i = 0; i < 199; i++) {
            assertThat(cache.get("k", key -> {
                        attempts.incrementAndGet();
                        throw new IOException("no database");
                    }))
                    .isEqualTo("v1");
            runReloads();
            pass(Duration.ofMillis(100));
        }

        assertThat(attempts).hasValueBetween(3, 5);
    }

    @Test
    void aReloadThatTheGuardDoesNotReachIsPutOffAndWhoWaitsForItLoadsForItself() {
        LayeredCache<String, String> cache = cache(AHEAD.withGuardFor(Duration.ofMinutes(1)), 16);
        Loader<String, String> elsewhere = new Loader<>() {
            @Override
            public String load(String key) {
                return "old, perhaps";
            }

            @Override
            public boolean readsOnItsThread() {
                return false;
            }
        };
        cache.evict("k");
        cache.get("k", key -> "v1");
        pass(Duration.ofSeconds(10));

        for (int i = 0; i < 5; i++) {
            assertThat(cache.get("k", elsewhere)).isEqualTo("v1");
            runReloads();
        }
        assertThat(cache.stats().refreshes()).isEqualTo(1);
        assertThat(cache.stats().loads()).isEqualTo(1);

        pass(Duration.ofSeconds(19));
        cache.get("k", elsewhere);
        assertThat(reloads).hasSize(1);
        pass(Duration.ofSeconds(2));
        assertThat(cache.get("k", elsewhere)).isEqualTo("old, perhaps");
        assertThat(cache.peek("k")).isNull();
    }

    @Test
    void aReloadThatBeganBeforeAnEvictionIsNotShared() {
        LayeredCache<String, String> cache = cache(AHEAD, 16);
        cache.get("k", key -> "v1");
        pass(Duration.ofSeconds(10));
        cache.get("k", key -> "read before the eviction");
        assertThat(reloads).hasSize(1);

        cache.evict("k");

        assertThat(cache.get("k", key -> "new")).isEqualTo("new");
        assertThat(cache.get("k", key -> "not asked")).isEqualTo("new");
    }

    @Test
    void aLateFillTakesNothingNewerAway() {
        LayeredCache<String, String> cache = cache(AHEAD, 16);
        Reservation<String> late = cache.reserve("k");
        cache.evict("k");
        cache.get("k", key -> "new");

        late.fill("old");

        assertThat(cache.get("k", key -> "not asked")).isEqualTo("new");
        assertThat(cache.stats().fillsRefused()).isEqualTo(1);
    }

    @Test
    void anEvictedValueIsNoAnswerForALoaderThatFails() {
        LayeredCache<String, String> cache = cache(AHEAD.withStaleOnErrorFor(Duration.ofMinutes(1)), 16);
        cache.get("k", key -> "v1");
        cache.evict("k");

        assertThatThrownBy(() -> cache.get("k", key -> {
                    throw new IOException("no database");
                }))
                .isInstanceOf(LoadFailedException.class);
    }

    @Test
    void whoWaitsForAReloadThatFailsGetsTheOldValueWhereThatIsAllowed() {
        LayeredCache<String, String> cache = cache(AHEAD.withStaleOnErrorFor(Duration.ofMinutes(1)), 16);

        assertThat(expiredDuringAFailingReload(cache)).isEqualTo("v1");
        assertThat(cache.stats().staleOnError()).isEqualTo(1);
    }

    @Test
    void whoWaitsForAReloadThatFailsFailsOtherwise() {
        LayeredCache<String, String> cache = cache(AHEAD, 16);

        assertThatThrownBy(() -> expiredDuringAFailingReload(cache))
                .isInstanceOf(LoadFailedException.class)
                .hasRootCauseMessage("no database");
    }

    @Test
    void underPressureAnExpiredValueAnswersForItsStatedTimeAndAnInvalidatedOneNever() {
        LayeredCache<String, String> cache =
                cache(CacheConfig.named("products").withStaleOnPressureFor(Duration.ofMinutes(1)), 16);
        cache.get("k", key -> "v1");
        pass(Duration.ofSeconds(31));
        assertThat(cache.peek("k")).isNull();

        pressed = true;
        assertThat(cache.get("k", key -> "v2")).isEqualTo("v1");
        assertThat(cache.find("k")).isNotNull();
        assertThat(cache.peek("k")).isNotNull();
        assertThat(cache.stats().staleOnPressure()).isEqualTo(3);

        pass(Duration.ofSeconds(60));
        assertThat(cache.get("k", key -> "v3")).isEqualTo("v3");
        pass(Duration.ofSeconds(31));
        cache.evict("k");
        assertThat(cache.get("k", key -> "v4")).isEqualTo("v4");
    }

    @Test
    void underPressureACacheThatDoesNotSayHowLongServesNothingStale() {
        LayeredCache<String, String> cache = cache(CacheConfig.named("products"), 16);
        cache.get("k", key -> "v1");
        pass(Duration.ofSeconds(31));
        pressed = true;

        assertThat(cache.get("k", key -> "v2")).isEqualTo("v2");
    }

    private @Nullable String expiredDuringAFailingReload(LayeredCache<String, String> cache) {
        cache.get("k", key -> "v1");
        pass(Duration.ofSeconds(29));
        cache.get("k", key -> {
            throw new IOException("no database");
        });
        assertThat(reloads).hasSize(1);
        pass(Duration.ofSeconds(2));
        return cache.get("k", key -> "not asked, for a load is under way");
    }

    private static void hitAll(LayeredCache<String, String> cache) {
        for (int i = 0; i < 5; i++) {
            cache.get("k" + i, key -> "v2");
        }
    }

    private LayeredCache<String, String> cache(CacheConfig config, int maxRefreshes) {
        CachesConfig common = CachesConfig.defaults().withMaxRefreshes(maxRefreshes);
        LayeredCaches caches = new LayeredCaches(
                common, null, LoadGuard.none(), () -> nowNanos, new RunWhatIsWaitedFor(), () -> 0, this::take);
        caches.staleWhile(() -> pressed);
        return caches.create(
                config,
                KeyEncoder.text(),
                ValueCodec.of(
                        text -> text.getBytes(StandardCharsets.UTF_8),
                        bytes -> new String(bytes, StandardCharsets.UTF_8)));
    }

    private void take(Runnable reload) {
        if (refusing) {
            throw new RejectedExecutionException("no thread");
        }
        reloads.add(reload);
    }

    private void runReloads() {
        while (!reloads.isEmpty()) {
            reloads.remove().run();
        }
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }
}
