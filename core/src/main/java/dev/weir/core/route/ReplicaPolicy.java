package dev.weir.core.route;

import java.time.Duration;

/**
 * When a replica takes reads.
 *
 * @param maxLagBytes how many bytes of log a replica may be behind the primary, at least 1
 * @param maxLag how long it may be behind, 10 ms to 1 day; counted only while its position differs from the primary's
 * @param failures how many failures in a row eject it, 1 to 1,000
 * @param goodSamples how many good samples in a row bring it back, 1 to 1,000
 * @param slowStart over which time its share rises to the full one after it came back, up to 1 h; 0 for at once
 */
public record ReplicaPolicy(long maxLagBytes, Duration maxLag, int failures, int goodSamples, Duration slowStart) {

    private static final Duration LEAST_LAG = Duration.ofMillis(10);
    private static final Duration MOST_LAG = Duration.ofDays(1);
    private static final Duration MOST_SLOW_START = Duration.ofHours(1);
    private static final int MOST_IN_A_ROW = 1_000;

    public ReplicaPolicy {
        if (maxLagBytes < 1) {
            throw new IllegalArgumentException("max-lag-bytes is %d; it must be at least 1.".formatted(maxLagBytes));
        }
        RouteConfig.inRange("max-lag", maxLag, LEAST_LAG, MOST_LAG);
        RouteConfig.inRange("slow-start", slowStart, Duration.ZERO, MOST_SLOW_START);
        inARow("eject-after", failures);
        inARow("readmit-after", goodSamples);
    }

    private static void inARow(String name, int given) {
        if (given < 1 || given > MOST_IN_A_ROW) {
            throw new IllegalArgumentException(
                    "%s is %d; it must lie between 1 and %d.".formatted(name, given, MOST_IN_A_ROW));
        }
    }

    /** 16 MiB (one segment of log) or 5 s behind, out after 2 failures, back after 3 good samples, slow start of 10 s. */
    public static ReplicaPolicy defaults() {
        return new ReplicaPolicy(16L << 20, Duration.ofSeconds(5), 2, 3, Duration.ofSeconds(10));
    }
}
