package dev.weir.core.size;

import java.time.Duration;

/**
 * Sizes of a thread-per-request server for a rate and a latency, by Little's law: so many requests are inside as arrive per
 * second times the seconds each stays (Little 1961, https://doi.org/10.1287/opre.9.3.383).
 *
 * @param busyThreads threads busy on average
 * @param threads those with headroom
 * @param spareThreads kept ready
 * @param clientConnections connections that clients keep open
 * @param maxConnections those allowed, with headroom
 * @param acceptCount connections that wait in the system's queue during a burst
 */
public record ServerSize(
        double busyThreads, int threads, int spareThreads, int clientConnections, int maxConnections, int acceptCount) {

    /** Tomcat's own default; less saves nothing, as idle connections cost little. */
    public static final int LEAST_MAX_CONNECTIONS = 8_192;
    /** Tomcat's own default. */
    public static final int LEAST_ACCEPT_COUNT = 100;
    /** Tomcat's own default. */
    public static final int LEAST_SPARE_THREADS = 10;
    /** One in so many threads is kept ready. */
    public static final int THREADS_PER_SPARE = 8;
    /** How long a burst may last that waits in the accept queue instead of being refused. */
    public static final double BURST_SECONDS = 0.1;

    private static final double MOST = 1_000_000;

    /**
     * The sizes of one instance.
     *
     * @param ratePerSecond requests a second of this instance, above 0
     * @param latency mean time a request is inside, above 0
     * @param reuseInterval mean time between two requests of one client's connection; where the latency is longer, that counts
     * @param headroom factor by which threads and connections exceed the mean, 1 to 100
     * @throws IllegalArgumentException with one sentence, also where more than a million of anything would be needed
     */
    public static ServerSize of(double ratePerSecond, Duration latency, Duration reuseInterval, double headroom) {
        if (!(ratePerSecond > 0) || latency.isZero() || latency.isNegative() || reuseInterval.isNegative()) {
            throw new IllegalArgumentException(
                    "A rate of %s/s, a latency of %d ms and a reuse interval of %d ms were given: rate and latency must be above 0, the interval not negative."
                            .formatted(ratePerSecond, latency.toMillis(), reuseInterval.toMillis()));
        }
        if (!(headroom >= 1 && headroom <= 100)) {
            throw new IllegalArgumentException("A headroom of %s was given: give 1 to 100.".formatted(headroom));
        }
        double busy = ratePerSecond * seconds(latency);
        int threads = whole("threads", busy * headroom);
        double open = ratePerSecond * Math.max(seconds(latency), seconds(reuseInterval));
        return new ServerSize(
                busy,
                threads,
                Math.min(threads, Math.max(LEAST_SPARE_THREADS, threads / THREADS_PER_SPARE)),
                whole("connections", open),
                Math.max(LEAST_MAX_CONNECTIONS, whole("connections", open * headroom)),
                Math.max(LEAST_ACCEPT_COUNT, whole("waiting connections", ratePerSecond * BURST_SECONDS)));
    }

    /** Rounded up, save for what is only the error of binary fractions. */
    private static int whole(String what, double value) {
        if (value > MOST) {
            throw new IllegalArgumentException(
                    "%.0f %s would be needed in one process, which none can hold: give a lower rate or latency, or more instances."
                            .formatted(value, what));
        }
        return (int) Math.ceil(value - 1e-9 * value);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
