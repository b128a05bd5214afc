package dev.weir.store.provider;

/** Counts calls in windows of one second; safe for many threads. */
final class RateLimit {

    private static final long WINDOW_NANOS = 1_000_000_000L;

    private long windowStartNanos;
    private int taken;

    RateLimit(long nowNanos) {
        windowStartNanos = nowNanos;
    }

    /**
     * Takes one call.
     *
     * @param limitPerSecond 0 is no limit
     * @return whether it is within the limit
     */
    synchronized boolean take(int limitPerSecond, long nowNanos) {
        if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
            windowStartNanos = nowNanos;
            taken = 0;
        }
        if (limitPerSecond > 0 && taken >= limitPerSecond) {
            return false;
        }
        taken++;
        return true;
    }
}
