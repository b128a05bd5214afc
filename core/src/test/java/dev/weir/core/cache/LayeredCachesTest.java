package dev.weir.core.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.time.NanoClock;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The upkeep of a node's caches. */
class LayeredCachesTest {
    private static final int SWEPT_WITHIN_TICKS = 1_000;
    private static final CachesConfig QUICK = CachesConfig.defaults()
            .withCommandTimeout(Duration.ofMillis(50))
            .withStalenessBound(Duration.ofMillis(100));

    private final Deque<Runnable> background = new ArrayDeque<>();
    private long nowNanos;

    @Test
    void expiredEntriesAreFreedOneSweepAtATimeAndNotOnTheThreadOfTheBeats() {
        LayeredCaches caches = new LayeredCaches(
                QUICK, null, LoadGuard.none(), () -> nowNanos, Waits.blocking(), () -> 0, background::add);
        LayeredCache<String, String> cache = caches.create(
                CacheConfig.named("texts")
                        .withTtl(Duration.ofSeconds(10), Duration.ofSeconds(10))
                        .withTtlWithoutRedis(Duration.ofMillis(100)),
                KeyEncoder.text(),
                ValueCodec.of(
                        text -> text.getBytes(StandardCharsets.UTF_8),
                        bytes -> new String(bytes, StandardCharsets.UTF_8)));
        cache.get("k", key -> "v");
        nowNanos += Duration.ofSeconds(20).toNanos();

        tickOften(caches);
        assertThat(background).hasSize(1);
        assertThat(cache.stats().entries()).isEqualTo(1);

        background.remove().run();
        assertThat(cache.stats().entries()).isZero();
        tickOften(caches);
        assertThat(background).as("the next one").hasSize(1);
    }

    @Test
    void theBeatsGoOnAfterAnError() throws InterruptedException {
        CountDownLatch upkeeps = new CountDownLatch(2);
        Remote remote = (Remote) Proxy.newProxyInstance(
                Remote.class.getClassLoader(), new Class<?>[] {Remote.class}, (self, method, arguments) -> {
                    if (method.getName().equals("upkeep")) {
                        upkeeps.countDown();
                        throw new LinkageError("for the test");
                    }
                    return method.getReturnType() == CompletableFuture.class
                            ? CompletableFuture.failedFuture(new IllegalStateException("not connected"))
                            : null;
                });
        Node node = new Node("n", remote, QUICK, NanoClock.system(), () -> 1);

        try (LayeredCaches caches = LayeredCaches.running(QUICK, node, LoadGuard.none(), NanoClock.system())) {
            assertThat(upkeeps.await(30, TimeUnit.SECONDS)).as("ticks again").isTrue();
            assertThat(caches.trusted()).isFalse();
        }
    }

    private static void tickOften(LayeredCaches caches) {
        for (int i = 0; i < SWEPT_WITHIN_TICKS; i++) {
            caches.tick();
        }
    }
}
