package dev.weir.core.route;

import java.time.Duration;

/**
 * How reads are routed.
 *
 * @param policy when a replica takes reads
 * @param sampleInterval how often each server is asked for its position, 5 ms to 10 s; more often while a reader waits
 * @param sampleTimeout how long a server may take to answer that, at least 10 ms
 * @param replayWait how long a reader waits for a replica to replay its own writes before the primary is taken; 0 for not
 *     at all
 * @param fallbackLimit how many reads that no replica can take may be on the primary at once; 0 for none
 * @param fallbackWait how long such a read waits for a place before it fails
 * @param dryRun decide and count, and send everything to the primary
 */
public record RouteConfig(
        ReplicaPolicy policy,
        Duration sampleInterval,
        Duration sampleTimeout,
        Duration replayWait,
        int fallbackLimit,
        Duration fallbackWait,
        boolean dryRun) {

    private static final Duration LEAST_INTERVAL = Duration.ofMillis(5);
    private static final Duration MOST_INTERVAL = Duration.ofSeconds(10);
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(10);

    public RouteConfig {
        if (sampleInterval.compareTo(LEAST_INTERVAL) < 0 || sampleInterval.compareTo(MOST_INTERVAL) > 0) {
            throw new IllegalArgumentException(
                    "sample-interval is %s; it must lie between 5ms and 10s.".formatted(sampleInterval));
        }
        if (sampleTimeout.compareTo(LEAST_TIMEOUT) < 0) {
            throw new IllegalArgumentException(
                    "sample-timeout is %s; it must be at least 10ms.".formatted(sampleTimeout));
        }
        if (replayWait.isNegative() || fallbackWait.isNegative()) {
            throw new IllegalArgumentException("replay-wait is %s and fallback wait is %s; neither may be negative."
                    .formatted(replayWait, fallbackWait));
        }
        if (fallbackLimit < 0) {
            throw new IllegalArgumentException(
                    "The limit of reads that fall back is %d; it must be 0 or more.".formatted(fallbackLimit));
        }
    }

    /** Samples every 100 ms, waits 50 ms for replay, lets 5 reads at once fall back, each after at most 100 ms. */
    public static RouteConfig defaults() {
        return new RouteConfig(
                ReplicaPolicy.defaults(),
                Duration.ofMillis(100),
                Duration.ofSeconds(2),
                Duration.ofMillis(50),
                5,
                Duration.ofMillis(100),
                false);
    }

    /** The same with another limit for reads that fall back. */
    public RouteConfig withFallback(int limit, Duration wait) {
        return new RouteConfig(policy, sampleInterval, sampleTimeout, replayWait, limit, wait, dryRun);
    }

    /** The same with another wait for replay. */
    public RouteConfig withReplayWait(Duration wait) {
        return new RouteConfig(policy, sampleInterval, sampleTimeout, wait, fallbackLimit, fallbackWait, dryRun);
    }

    /** The same with another policy. */
    public RouteConfig withPolicy(ReplicaPolicy other) {
        return new RouteConfig(other, sampleInterval, sampleTimeout, replayWait, fallbackLimit, fallbackWait, dryRun);
    }

    /** The same as a dry run. */
    public RouteConfig asDryRun() {
        return new RouteConfig(policy, sampleInterval, sampleTimeout, replayWait, fallbackLimit, fallbackWait, true);
    }
}
