package dev.weir.starter.route;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what servers come to in their own time. */
final class Conditions {

    static final Duration DEADLINE = Duration.ofSeconds(30);

    private Conditions() {}

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Not so within " + DEADLINE.toSeconds() + " s: " + what);
            }
            never.await(10, TimeUnit.MILLISECONDS);
        }
    }
}
