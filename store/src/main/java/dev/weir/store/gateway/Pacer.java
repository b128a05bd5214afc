package dev.weir.store.gateway;

import java.time.Duration;

/**
 * Lets one go at even distances: the generic cell rate algorithm (ITU-T I.371), which is one number, the time at which the next is due.
 * Who comes late by less than the burst catches up, so a thread that wakes late loses nothing. Not safe for several threads.
 */
final class Pacer {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long burstNanos;
    private long dueNanos;

    /**
     * Due at once.
     *
     * @param burst how far the pace may be run ahead of, and so how much goes at once after a pause
     */
    Pacer(Duration burst, long nowNanos) {
        this.burstNanos = burst.toNanos();
        this.dueNanos = nowNanos;
    }

    /** How long until the next may go; 0 or less: now. */
    long delayNanos(long nowNanos) {
        return dueNanos - nowNanos - burstNanos;
    }

    /** One goes, at a pace above 0. */
    void take(double perSecond, long nowNanos) {
        long from = dueNanos - nowNanos > 0 ? dueNanos : nowNanos;
        dueNanos = from + (long) (NANOS_PER_SECOND / perSecond);
    }
}
