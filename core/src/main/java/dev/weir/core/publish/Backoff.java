package dev.weir.core.publish;

/**
 * Pauses that double from the first to the longest, each drawn from its upper half, so that many who failed together do not come
 * back together.
 *
 * @param firstNanos pause after the first failure
 * @param mostNanos longest pause
 */
record Backoff(long firstNanos, long mostNanos) {

    /**
     * The pause after so many failures in a row.
     *
     * @param failures 1 or more
     * @param random from 0 to below 1
     */
    long pauseNanos(int failures, double random) {
        int doublings = Math.min(Math.max(failures, 1) - 1, Long.numberOfLeadingZeros(firstNanos) - 1);
        long full = Math.min(firstNanos << doublings, mostNanos);
        return full / 2 + (long) (full / 2.0 * random);
    }
}
