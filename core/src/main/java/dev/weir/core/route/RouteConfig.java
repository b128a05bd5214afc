package dev.weir.core.route;

import dev.weir.core.time.DurationText;
import java.time.Duration;

/**
 * How reads are routed.
 *
 * @param policy when a replica takes reads
 * @param sampleInterval how often each server is asked for its position, 5 ms to 10 s; more often while a reader waits
 * @param sampleTimeout how long a server may take to answer that, the connecting included, 10 ms to 1 min
 * @param replayWait how long a reader waits for a replica to replay its own writes before the primary is taken, up to 1 min; 0
 *     for not at all
 * @param fallbackLimit how many reads that no replica can take may be on the primary at once, up to 10,000; 0 for none
 * @param fallbackWait how long such a read waits for a place before it fails, up to 1 min
 * @param primaryWeight the primary's share of the reads in proportion to the replicas' weights, 0 to 1,000,000; 0 for none
 * @param dryRun decide and count, and send everything to the primary
 */
public record RouteConfig(
        ReplicaPolicy policy,
        Duration sampleInterval,
        Duration sampleTimeout,
        Duration replayWait,
        int fallbackLimit,
        Duration fallbackWait,
        double primaryWeight,
        boolean dryRun) {

    private static final Duration MOST_WAIT = Duration.ofMinutes(1);
    private static final int MOST_FALLBACKS = 10_000;
    private static final double MOST_WEIGHT = 1e6;

    public RouteConfig {
        inRange("sample-interval", sampleInterval, Duration.ofMillis(5), Duration.ofSeconds(10));
        inRange("sample-timeout", sampleTimeout, Duration.ofMillis(10), MOST_WAIT);
        inRange("replay-wait", replayWait, Duration.ZERO, MOST_WAIT);
        inRange("fallback.max-wait", fallbackWait, Duration.ZERO, MOST_WAIT);
        if (fallbackLimit < 0 || fallbackLimit > MOST_FALLBACKS) {
            throw new IllegalArgumentException(
                    "fallback.max-concurrent is %d; it must lie between 0 and 10000.".formatted(fallbackLimit));
        }
        if (!(primaryWeight >= 0 && primaryWeight <= MOST_WEIGHT)) {
            throw new IllegalArgumentException(
                    "primary-weight is %s; it must lie between 0 and 1000000.".formatted(primaryWeight));
        }
    }

    /** @throws IllegalArgumentException with one sentence if it lies outside */
    static void inRange(String name, Duration given, Duration least, Duration most) {
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new IllegalArgumentException("%s is %s; it must lie between %s and %s."
                    .formatted(name, DurationText.of(given), DurationText.of(least), DurationText.of(most)));
        }
    }

    /**
     * How old a state a replica that still takes reads may show, at most, as long as the primary answers its own questions:
     *
     * <ul>
     *   <li>{@code maxLag}: as old as it was, measured by the primary's newest known position;
     *   <li>{@code sampleInterval + 2 * sampleTimeout}: as old as that position was by then. It is from the round before the
     *       one at work, and counts from when it was asked for, not from when the answer came;
     *   <li>{@code failures * (sampleInterval + sampleTimeout)}: as long as a replica may then fail to answer before it is
     *       ejected.
     * </ul>
     *
     * While the primary does not answer the ages stand still, since nothing new can be missed then; not so where others still
     * reach it.
     */
    public Duration longestStaleness() {
        Duration round = sampleInterval.plus(sampleTimeout);
        return policy.maxLag().plus(round.multipliedBy(policy.failures() + 1L)).plus(sampleTimeout);
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
                0,
                false);
    }

    /** The same with another limit for reads that fall back. */
    public RouteConfig withFallback(int limit, Duration wait) {
        return new RouteConfig(policy, sampleInterval, sampleTimeout, replayWait, limit, wait, primaryWeight, dryRun);
    }

    /** The same with another wait for replay. */
    public RouteConfig withReplayWait(Duration wait) {
        return new RouteConfig(
                policy, sampleInterval, sampleTimeout, wait, fallbackLimit, fallbackWait, primaryWeight, dryRun);
    }

    /** The same with another policy. */
    public RouteConfig withPolicy(ReplicaPolicy other) {
        return new RouteConfig(
                other, sampleInterval, sampleTimeout, replayWait, fallbackLimit, fallbackWait, primaryWeight, dryRun);
    }

    /** The same with a share of the reads for the primary. */
    public RouteConfig withPrimaryWeight(double weight) {
        return new RouteConfig(
                policy, sampleInterval, sampleTimeout, replayWait, fallbackLimit, fallbackWait, weight, dryRun);
    }

    /** The same as a dry run. */
    public RouteConfig asDryRun() {
        return new RouteConfig(
                policy, sampleInterval, sampleTimeout, replayWait, fallbackLimit, fallbackWait, primaryWeight, true);
    }
}
