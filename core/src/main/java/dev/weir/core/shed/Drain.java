package dev.weir.core.shed;

import java.time.Duration;

/**
 * When a refused caller should come again: the time to serve everybody who is at the door now, by Little's law (those in
 * flight, those waiting, and those refused in the last second, who will come again, divided by the throughput), within bounds.
 * As refused callers who come again are counted again, the time grows with their number until they no longer overload.
 *
 * <p>The jitter spreads from that time to three times it, evenly: one value for all would make a herd of everybody who was refused
 * together, and so would a spread that disappears in the header's whole seconds. Clients that take the larger of this and a
 * jittered delay of their own would lose theirs.
 *
 * @param least shortest answer
 * @param most longest answer, at least three times the shortest
 */
record Drain(Duration least, Duration most) {

    private static final int SPREAD = 3;
    private static final double MILLIS_PER_SECOND = 1000;

    Drain {
        if (least.toMillis() < 1 || most.compareTo(least.multipliedBy(SPREAD)) < 0) {
            throw new IllegalArgumentException(
                    "Retry-After lies between %s and %s; the first must be at least 1ms, the second three times it or more."
                            .formatted(least, most));
        }
    }

    /**
     * Milliseconds until who is at the door now has been served, a third of the most at most.
     *
     * @param refused lately, who will come again
     * @param servedPerSecond above 0
     */
    double millis(int inFlight, int waiting, double refused, double servedPerSecond) {
        double millis = MILLIS_PER_SECOND * (inFlight + waiting + refused) / servedPerSecond;
        return Math.clamp(millis, (double) least.toMillis(), (double) most.toMillis() / SPREAD);
    }

    /** Between once and three times the given time, evenly, decided by the number. */
    Duration jittered(double millis, long number) {
        return Duration.ofMillis(Math.round(millis * (1 + (SPREAD - 1) * Mix.fraction(number))));
    }
}
