package dev.weir.core.cache;

import java.time.Duration;

/**
 * What all caches of a node share, checked once. All nodes of a service should use the same values.
 *
 * @param prefix of the keys and channels in Redis; services with different prefixes do not see each other
 * @param stalenessBound for how long after an eviction another node may still answer with the old value; 100 ms to 1 min.
 *     The node sends four beats in this time.
 * @param commandTimeout after which a command counts as failed, 1 ms to the bound, within which a beat must have come back
 * @param failuresToOpen after how many failed commands in a row Redis is left alone until a beat is answered, 1 to 1,000
 * @param maxRefreshes how many reloads ahead of expiry may run at the same time, 1 to 10,000; they come on top of the
 *     loads that callers wait for
 */
public record CachesConfig(
        String prefix, Duration stalenessBound, Duration commandTimeout, int failuresToOpen, int maxRefreshes) {
    static final int BEATS_PER_BOUND = 4;
    private static final Duration SHORTEST_CONNECT_TIMEOUT = Duration.ofMillis(500);
    private static final int TICKS_PER_BEAT = 4;

    public CachesConfig {
        require(prefix.matches("[A-Za-z0-9._:-]{1,100}"), "prefix", prefix, "1 to 100 letters, digits, or . _ : -");
        require(between(stalenessBound, 100, 60_000), "staleness-bound", stalenessBound, "100 ms to 1 min");
        require(
                commandTimeout.toMillis() >= 1 && commandTimeout.compareTo(stalenessBound) <= 0,
                "command-timeout",
                commandTimeout,
                "1 ms to staleness-bound (" + stalenessBound + ")");
        require(failuresToOpen >= 1 && failuresToOpen <= 1_000, "failures-to-open", failuresToOpen, "1 to 1,000");
        require(maxRefreshes >= 1 && maxRefreshes <= 10_000, "max-refreshes", maxRefreshes, "1 to 10,000");
    }

    /** Prefix {@code weir}, a bound of 2 s, 250 ms for a command, 5 failures, 16 refreshes. */
    public static CachesConfig defaults() {
        return new CachesConfig("weir", Duration.ofSeconds(2), Duration.ofMillis(250), 5, 16);
    }

    /** The same with another prefix. */
    public CachesConfig withPrefix(String other) {
        return new CachesConfig(other, stalenessBound, commandTimeout, failuresToOpen, maxRefreshes);
    }

    /** The same with another bound, no shorter than the time for a command: lower that first. */
    public CachesConfig withStalenessBound(Duration other) {
        return new CachesConfig(prefix, other, commandTimeout, failuresToOpen, maxRefreshes);
    }

    /** The same with another time for a command. */
    public CachesConfig withCommandTimeout(Duration other) {
        return new CachesConfig(prefix, stalenessBound, other, failuresToOpen, maxRefreshes);
    }

    /** The same with another number of reloads ahead of expiry at the same time. */
    public CachesConfig withMaxRefreshes(int other) {
        return new CachesConfig(prefix, stalenessBound, commandTimeout, failuresToOpen, other);
    }

    /**
     * Checks a cache against what it shares.
     *
     * @throws IllegalArgumentException if it would break the staleness bound
     */
    public void check(CacheConfig cache) {
        if (cache.ttlWithoutRedis().compareTo(stalenessBound) > 0) {
            throw new IllegalArgumentException("Cache " + cache.name() + ": ttl-without-redis is "
                    + cache.ttlWithoutRedis() + "; allowed is 0 to the staleness bound (" + stalenessBound
                    + "), which it would break. Lower it or raise staleness-bound.");
        }
    }

    long boundNanos() {
        return stalenessBound.toNanos();
    }

    long beatNanos() {
        return boundNanos() / BEATS_PER_BOUND;
    }

    /** For the handshake of a connection, which takes more round trips than a command. */
    Duration connectTimeout() {
        return commandTimeout.compareTo(SHORTEST_CONNECT_TIMEOUT) > 0 ? commandTimeout : SHORTEST_CONNECT_TIMEOUT;
    }

    /**
     * How long a node that hears the others again does not believe: two beats of every publisher, and no less than another
     * node may take to hear them too.
     */
    long settleNanos() {
        return Math.max(2 * beatNanos(), reconnectNanos());
    }

    /** How long Redis is not asked for values after an outage: a bound, and no less than a node may take to deliver again. */
    long fenceNanos() {
        return Math.max(boundNanos(), reconnectNanos() + beatNanos());
    }

    /**
     * Within this time after a start or an outage all layers work if Redis answers. As long as it has not passed, that they do
     * not says nothing.
     */
    public Duration readyWithin() {
        return commandTimeout.plusNanos(reconnectNanos() + beatNanos() + fenceNanos());
    }

    /** From the return of Redis on: an attempt that hangs, then one that succeeds. */
    private long reconnectNanos() {
        return connectTimeout().toNanos() + 2 * tickNanos();
    }

    /** After this time without a word a publisher's last messages count as lost: within the bound, with a tick to spare. */
    long silenceNanos() {
        return 2 * beatNanos() + beatNanos() / 2;
    }

    long tickNanos() {
        return beatNanos() / TICKS_PER_BEAT;
    }

    private static boolean between(Duration given, long leastMillis, long mostMillis) {
        return given.toMillis() >= leastMillis && given.toMillis() <= mostMillis;
    }

    private static void require(boolean right, String setting, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(
                    "Caches: " + setting + " is " + given + "; allowed is " + allowed + ". Change " + setting + ".");
        }
    }
}
