package dev.weir.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What the tests with real servers share: a cache folder below target, and waiting for conditions. */
final class TestStacks {
    static final Path CACHE = Path.of("target", "stack-cache").toAbsolutePath();
    static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private TestStacks() {}

    static StackConfig config() {
        return StackConfig.defaults().withCacheFolder(CACHE).withStartTimeout(START_TIMEOUT);
    }

    static Runs runs() {
        return new Runs(new CacheFolder(CACHE), InstantSource.system());
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Not so within " + DEADLINE.toSeconds() + " s: " + what);
            }
            never.await(20, TimeUnit.MILLISECONDS);
        }
    }
}
