package dev.weir.core.shed;

import java.time.Duration;

/**
 * From where on outside signals count, and where they count in full; between the two in proportion, so that nothing flaps
 * at a threshold.
 *
 * @param poolWaitFrom wait for a pooled connection that begins to count
 * @param poolWaitFull wait that counts in full: the limit is lowered until it is shorter
 * @param publisherFrom fullness of the publisher's buffer that begins to count
 * @param publisherFull fullness that counts in full: the limit is lowered
 * @param cpuFrom share of the CPUs that begins to count
 * @param cpuFull share that counts in full; the limit is then not raised, but not lowered either, since a busy CPU alone
 *     makes nobody wait
 */
public record SignalBounds(
        Duration poolWaitFrom,
        Duration poolWaitFull,
        double publisherFrom,
        double publisherFull,
        double cpuFrom,
        double cpuFull) {

    private static final double NANOS_PER_MILLI = 1e6;

    public SignalBounds {
        if (poolWaitFrom.isNegative() || poolWaitFrom.compareTo(poolWaitFull) >= 0) {
            throw new IllegalArgumentException(
                    "Pool wait counts from %s and in full at %s; the first must be smaller and not negative."
                            .formatted(poolWaitFrom, poolWaitFull));
        }
        requireShares("The publisher's fullness", publisherFrom, publisherFull);
        requireShares("CPU", cpuFrom, cpuFull);
    }

    private static void requireShares(String what, double from, double full) {
        if (!(from >= 0 && from < full && full <= 1)) {
            throw new IllegalArgumentException(
                    "%s counts from %s and in full at %s; both must lie between 0 and 1, the first below the second."
                            .formatted(what, from, full));
        }
    }

    /** Pool wait 10 to 100 ms, publisher 50 to 90 %, CPU 85 to 98 %. */
    public static SignalBounds defaults() {
        return new SignalBounds(Duration.ofMillis(10), Duration.ofMillis(100), 0.5, 0.9, 0.85, 0.98);
    }

    /** 0 to 1: how much what comes after admission is at its end; at 1 the limit is lowered. */
    double downstream(Signals signals) {
        return Math.max(
                ramp(
                        signals.poolWaitMillis(),
                        poolWaitFrom.toNanos() / NANOS_PER_MILLI,
                        poolWaitFull.toNanos() / NANOS_PER_MILLI),
                ramp(signals.publisherFullness(), publisherFrom, publisherFull));
    }

    /** 0 to 1: all signals. */
    double all(Signals signals) {
        return Math.max(downstream(signals), ramp(signals.cpu(), cpuFrom, cpuFull));
    }

    static double ramp(double value, double from, double full) {
        return Math.clamp((value - from) / (full - from), 0, 1);
    }
}
