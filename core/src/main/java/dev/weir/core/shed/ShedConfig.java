package dev.weir.core.shed;

import java.time.Duration;
import java.util.Optional;

/**
 * How requests are admitted.
 *
 * @param mode where the limit comes from
 * @param shares how the limit is divided by priority
 * @param queue the line before a full limit
 * @param retryAfterLeast shortest Retry-After
 * @param retryAfterMost longest Retry-After, at least three times the shortest
 * @param quota what one caller may ask for; empty for no bound
 * @param signalBounds from where on outside signals count
 * @param cohortPeriod how long the same cohorts are refused before others take their turn, at least 1 s
 * @param dryRun decide and count, and admit everything
 */
public record ShedConfig(
        LimitMode mode,
        Shares shares,
        QueueConfig queue,
        Duration retryAfterLeast,
        Duration retryAfterMost,
        Optional<QuotaConfig> quota,
        SignalBounds signalBounds,
        Duration cohortPeriod,
        boolean dryRun) {

    public ShedConfig {
        drain(retryAfterLeast, retryAfterMost);
        if (cohortPeriod.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("cohort-period is %s; it must be at least 1s.".formatted(cohortPeriod));
        }
    }

    private static Drain drain(Duration least, Duration most) {
        return new Drain(least, most);
    }

    Drain drain() {
        return drain(retryAfterLeast, retryAfterMost);
    }

    /** Adaptive, no quota, Retry-After of 1 to 30 s, cohorts for 5 minutes. */
    public static ShedConfig defaults() {
        return new ShedConfig(
                LimitMode.Adaptive.defaults(),
                Shares.defaults(),
                QueueConfig.defaults(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Optional.empty(),
                SignalBounds.defaults(),
                Duration.ofMinutes(5),
                false);
    }

    /** A fixed limit, 80 % of it normal requests' own and 20 % low ones'. */
    public static ShedConfig fixed(int limit) {
        return defaults().withMode(new LimitMode.Fixed(limit)).withShares(new Shares(0.8, 0.2, 0.1));
    }

    /** The same with another mode. */
    public ShedConfig withMode(LimitMode other) {
        return new ShedConfig(
                other, shares, queue, retryAfterLeast, retryAfterMost, quota, signalBounds, cohortPeriod, dryRun);
    }

    /** The same with other shares. */
    public ShedConfig withShares(Shares other) {
        return new ShedConfig(
                mode, other, queue, retryAfterLeast, retryAfterMost, quota, signalBounds, cohortPeriod, dryRun);
    }

    /** The same with another line. */
    public ShedConfig withQueue(QueueConfig other) {
        return new ShedConfig(
                mode, shares, other, retryAfterLeast, retryAfterMost, quota, signalBounds, cohortPeriod, dryRun);
    }

    /** The same with a quota for each caller. */
    public ShedConfig withQuota(QuotaConfig other) {
        return new ShedConfig(
                mode,
                shares,
                queue,
                retryAfterLeast,
                retryAfterMost,
                Optional.of(other),
                signalBounds,
                cohortPeriod,
                dryRun);
    }

    /** The same as a dry run. */
    public ShedConfig asDryRun() {
        return new ShedConfig(
                mode, shares, queue, retryAfterLeast, retryAfterMost, quota, signalBounds, cohortPeriod, true);
    }
}
