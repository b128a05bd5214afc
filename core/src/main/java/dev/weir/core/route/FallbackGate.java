package dev.weir.core.route;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How many reads that no replica can take may be on the primary at once, so that lost replicas do not drown it. */
final class FallbackGate {

    private final Semaphore permits;
    private final int limit;
    private final Duration maxWait;

    FallbackGate(int limit, Duration maxWait) {
        this.permits = new Semaphore(limit);
        this.limit = limit;
        this.maxWait = maxWait;
    }

    int limit() {
        return limit;
    }

    int inUse() {
        return limit - permits.availablePermits();
    }

    /** Waits for a place up to the configured time; an interrupt counts as none. */
    boolean tryEnter() {
        try {
            return permits.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void leave() {
        permits.release();
    }
}
