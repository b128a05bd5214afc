package dev.weir.core.route;

import java.time.Duration;

/**
 * When a replica takes reads.
 *
 * @param maxLagBytes how many bytes of log a replica may be behind the primary, at least 1
 * @param maxLag how long it may be behind, at least 10 ms; counted only while its position differs from the primary's
 * @param failures how many failures in a row eject it, at least 1
 * @param goodSamples how many good samples in a row bring it back, at least 1
 * @param slowStart over which time its share rises to the full one after it came back; 0 for at once
 */
public record ReplicaPolicy(long maxLagBytes, Duration maxLag, int failures, int goodSamples, Duration slowStart) {

    private static final Duration LEAST_LAG = Duration.ofMillis(10);

    public ReplicaPolicy {
        if (maxLagBytes < 1) {
            throw new IllegalArgumentException("max-lag-bytes is %d; it must be at least 1.".formatted(maxLagBytes));
        }
        if (maxLag.compareTo(LEAST_LAG) < 0) {
            throw new IllegalArgumentException("max-lag is %s; it must be at least 10ms.".formatted(maxLag));
        }
        if (failures < 1 || goodSamples < 1) {
            throw new IllegalArgumentException("eject-after is %d and readmit-after is %d; both must be at least 1."
                    .formatted(failures, goodSamples));
        }
        if (slowStart.isNegative()) {
            throw new IllegalArgumentException("slow-start is %s; it must not be negative.".formatted(slowStart));
        }
    }

    /** 16 MiB (one segment of log) or 5 s behind, out after 2 failures, back after 3 good samples, slow start of 10 s. */
    public static ReplicaPolicy defaults() {
        return new ReplicaPolicy(16L << 20, Duration.ofSeconds(5), 2, 3, Duration.ofSeconds(10));
    }
}
