package dev.weir.core.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class PinningWatchTest {

    private static final Duration THRESHOLD = Duration.ofMillis(5);

    /** A class initializer is a frame of the VM: a virtual thread that blocks in one keeps its carrier. */
    static final class SlowToInitialize {
        static final long READY = block(Duration.ofMillis(50));

        private SlowToInitialize() {}
    }

    static final class SlowOnceMore {
        static final long READY = block(Duration.ofMillis(50));

        private SlowOnceMore() {}
    }

    @Test
    void aPinIsSeenWithItsSiteAndItsStack() throws InterruptedException {
        var seen = new CountDownLatch(1);
        var firsts = new ConcurrentLinkedQueue<Boolean>();
        try (var watch = new PinningWatch(new PinningSettings(THRESHOLD, 10), (pin, first) -> {
            firsts.add(first);
            seen.countDown();
            throw new IllegalStateException("a listener that fails");
        })) {
            watch.start();

            onVirtualThread(() -> assertThat(SlowToInitialize.READY).isPositive());

            assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.count()).isEqualTo(1);
            assertThat(firsts).containsExactly(true);
            PinnedSite site = watch.sites().getFirst();
            assertThat(site.first().site()).startsWith(PinningWatchTest.class.getName() + ".block:");
            assertThat(site.first().stack()).anyMatch(frame -> frame.contains("SlowToInitialize.<clinit>"));
            assertThat(site.longest()).isGreaterThanOrEqualTo(THRESHOLD);
        }
    }

    @Test
    void blockingThatLetsTheCarrierGoIsNotSeen() throws InterruptedException {
        var seen = new CountDownLatch(1);
        try (var watch = new PinningWatch(new PinningSettings(THRESHOLD, 10), (pin, first) -> seen.countDown())) {
            watch.start();

            onVirtualThread(() -> block(Duration.ofMillis(50)));
            onVirtualThread(() -> assertThat(SlowOnceMore.READY).isPositive());

            assertThat(seen.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.count()).isEqualTo(1);
        }
    }

    @Test
    void pinsAreGatheredByTheFirstFrameOutsideTheJdk() {
        var sites = new PinnedSites(2);

        assertThat(sites.add(pin(10, "java.lang.Thread.sleep:1", "a.A.run:1", "x.X.main:1")))
                .isTrue();
        assertThat(sites.add(pin(30, "jdk.internal.Some.thing:9", "a.A.run:1", "y.Y.main:1")))
                .isFalse();
        assertThat(sites.add(pin(100, "b.B.run:1"))).isTrue();

        assertThat(sites.worstFirst())
                .extracting(site -> site.first().site(), PinnedSite::count, PinnedSite::longest)
                .containsExactly(
                        tuple("b.B.run:1", 1L, Duration.ofMillis(100)), tuple("a.A.run:1", 2L, Duration.ofMillis(30)));
    }

    @Test
    void placesAreBoundedAndCountsAreNot() {
        var sites = new PinnedSites(1);

        sites.add(pin(1, "a.A.run:1"));
        assertThat(sites.add(pin(1, "b.B.run:1"))).isFalse();

        assertThat(sites.worstFirst()).hasSize(1);
        assertThat(sites.count()).isEqualTo(2);
        assertThat(sites.total()).isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void settingsOutsideTheirRangeAreRefused() {
        assertThatThrownBy(() -> new PinningSettings(Duration.ZERO, 10)).hasMessageContaining("give 1 ms to 1 minute");
        assertThatThrownBy(() -> new PinningSettings(THRESHOLD, 0)).hasMessageContaining("give 1 to 1000");
    }

    private static Pin pin(long millis, String... stack) {
        return new Pin(Duration.ofMillis(millis), "", List.of(stack));
    }

    private static void onVirtualThread(Runnable task) throws InterruptedException {
        Thread.ofVirtual().start(task).join();
    }

    private static long block(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        return 1;
    }
}
