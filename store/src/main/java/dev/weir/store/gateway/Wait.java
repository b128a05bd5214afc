package dev.weir.store.gateway;

import java.time.Duration;

/**
 * How long until a message is sent.
 *
 * @param expected if no client sends more than what has been accepted by now
 * @param latest if every client that has something waiting now always has
 */
record Wait(Duration expected, Duration latest) {

    private static final double LONGEST_SECONDS = Duration.ofDays(365).toSeconds();
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * The wait of a message.
     *
     * @param position in its client's line, from 1
     * @param own the length the backlog holds for that client
     * @param perSecond messages sent a second, above 0
     * @param standstill for how long nothing has been sent although messages wait; taken to last as long again
     * @param atLeast what it takes however short the lines are
     */
    static Wait of(Backlog backlog, long position, long own, double perSecond, Duration standstill, Duration atLeast) {
        double expected = backlog.upTo(position, own) / perSecond;
        long others = Math.max(0, backlog.clients() - (own > 0 ? 1 : 0));
        double latest = position * (1.0 + others) / perSecond;
        return new Wait(
                longer(standstill.plus(duration(expected)), atLeast),
                longer(standstill.plus(duration(Math.max(expected, latest))), atLeast));
    }

    /** The same, or this time where it is longer. */
    Wait atLeast(Duration time) {
        return new Wait(longer(expected, time), longer(latest, time));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos((long) (Math.min(seconds, LONGEST_SECONDS) * NANOS_PER_SECOND));
    }
}
