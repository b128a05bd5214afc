package dev.weir.core.cache;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether the shared layer may be asked: the circuit breaker. It opens at once when the connection is lost, and after a number of failed
 * commands in a row. The node's beat, which goes on anyway, is the probe, so no request of a user ever is.
 *
 * <p>An answered read proves little: a primary that was replaced goes on answering them, with values that are evicted
 * elsewhere by now. A beat writes, so Redis is asked for values only until a bound after the send time of the latest beat
 * it took.
 *
 * <p>It closes a fence later than the first answered beat. After an outage that several nodes saw, each may hold
 * evictions that it could not deliver; the fence gives them the time to, before anybody reads the old values.
 *
 * <p>Any thread may call it. A reader that sees the volatile fields half changed asks once more or once less, within the same
 * bound.
 */
final class RedisHealth {
    private final int failuresToOpen;
    private final long boundNanos;
    private final long fenceNanos;
    private final AtomicInteger failuresInARow = new AtomicInteger();
    private volatile boolean down = true;
    private volatile long usableFromNanos;
    private volatile long provenUntilNanos;

    RedisHealth(int failuresToOpen, long boundNanos, long fenceNanos) {
        this.failuresToOpen = failuresToOpen;
        this.boundNanos = boundNanos;
        this.fenceNanos = fenceNanos;
    }

    boolean usable(long nowNanos) {
        return !down && nowNanos - usableFromNanos >= 0 && nowNanos - provenUntilNanos < 0;
    }

    boolean reachable() {
        return !down;
    }

    void answered() {
        failuresInARow.set(0);
    }

    void failed() {
        if (failuresInARow.incrementAndGet() >= failuresToOpen) {
            lost();
        }
    }

    synchronized void lost() {
        down = true;
    }

    /** A beat sent after the latest failure was answered. */
    synchronized void beatAnswered(long sentNanos, long nowNanos) {
        failuresInARow.set(0);
        if (down || nowNanos - provenUntilNanos >= 0) {
            usableFromNanos = nowNanos + fenceNanos;
            down = false;
        }
        provenUntilNanos = sentNanos + boundNanos;
    }
}
