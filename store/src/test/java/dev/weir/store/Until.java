package dev.weir.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what happens by itself, with a deadline. */
public final class Until {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private Until() {}

    /** Returns once it is so; fails if it is not within a minute. */
    public static void isTrue(Callable<Boolean> condition) {
        long endNanos = System.nanoTime() + DEADLINE.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() - endNanos > 0) {
                throw new AssertionError("Not so after " + DEADLINE.toSeconds() + " s");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static boolean holds(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception e) {
            throw new AssertionError("The condition cannot be looked at", e);
        }
    }
}
