package dev.weir.core.outbox;

import java.time.Duration;

/**
 * An outbox and its relays, checked once. All instances of a service use the same values.
 *
 * @param table name of the outbox's table; its other tables' names begin with it
 * @param keyLock whether adding an event holds other transactions that add for the same key until this one ends. Without it the order
 *     per key is that of commits only where those transactions exclude each other before they add, for example by updating the same row.
 * @param batchEvents events read and delivered at once, 1 to 10,000
 * @param batchBytes and their bytes, 1 KiB to 1 GiB; one event is always read
 * @param pollInterval a relay looks so often by itself, 10 ms to 1 min
 * @param leaseTime for which an instance owns its part of the keys without a sign of life, 1 s to 10 min
 * @param attempts how often an event is tried before it is parked, 1 to 1,000
 * @param retryBackoff pause after the first failure, 1 ms to maxRetryBackoff; doubled each time, with jitter
 * @param maxRetryBackoff longest pause, at most 1 day
 */
public record OutboxConfig(
        String table,
        boolean keyLock,
        int batchEvents,
        long batchBytes,
        Duration pollInterval,
        Duration leaseTime,
        int attempts,
        Duration retryBackoff,
        Duration maxRetryBackoff) {

    /** Into so many parts the keys are divided; an instance owns whole parts. Stored rows depend on it, so it cannot be set. */
    static final int LANES = 64;

    public OutboxConfig {
        require(table.matches("[a-z_][a-z0-9_]{0,39}"), "table", table, "1 to 40 lower-case letters, digits or _");
        require(batchEvents >= 1 && batchEvents <= 10_000, "batch-events", batchEvents, "1 to 10,000");
        require(batchBytes >= 1024 && batchBytes <= 1L << 30, "batch-bytes", batchBytes, "1 KiB to 1 GiB");
        require(between(pollInterval, 10, 60_000), "poll-interval", pollInterval, "10 ms to 1 min");
        require(between(leaseTime, 1_000, 600_000), "lease-time", leaseTime, "1 s to 10 min");
        require(attempts >= 1 && attempts <= 1_000, "attempts", attempts, "1 to 1,000");
        require(between(maxRetryBackoff, 1, 86_400_000), "max-retry-backoff", maxRetryBackoff, "1 ms to 1 day");
        require(
                between(retryBackoff, 1, maxRetryBackoff.toMillis()),
                "retry-backoff",
                retryBackoff,
                "1 ms to max-retry-backoff (" + maxRetryBackoff + ")");
    }

    /** Table weir_outbox, no key lock, 1,000 events or 8 MiB, 200 ms, leases of 10 s, 8 attempts with pauses of 1 s to 5 min. */
    public static OutboxConfig defaults() {
        return new OutboxConfig(
                "weir_outbox",
                false,
                1_000,
                8L << 20,
                Duration.ofMillis(200),
                Duration.ofSeconds(10),
                8,
                Duration.ofSeconds(1),
                Duration.ofMinutes(5));
    }

    /** The same in another table. */
    public OutboxConfig withTable(String name) {
        return new OutboxConfig(
                name,
                keyLock,
                batchEvents,
                batchBytes,
                pollInterval,
                leaseTime,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with or without the key lock. */
    public OutboxConfig withKeyLock(boolean wanted) {
        return new OutboxConfig(
                table,
                wanted,
                batchEvents,
                batchBytes,
                pollInterval,
                leaseTime,
                attempts,
                retryBackoff,
                maxRetryBackoff);
    }

    /** The same with other batches. */
    public OutboxConfig withBatch(int events, long bytes) {
        return new OutboxConfig(
                table, keyLock, events, bytes, pollInterval, leaseTime, attempts, retryBackoff, maxRetryBackoff);
    }

    /** The same looking at another interval. */
    public OutboxConfig withPollInterval(Duration interval) {
        return new OutboxConfig(
                table, keyLock, batchEvents, batchBytes, interval, leaseTime, attempts, retryBackoff, maxRetryBackoff);
    }

    /** The same with other leases. */
    public OutboxConfig withLeaseTime(Duration time) {
        return new OutboxConfig(
                table, keyLock, batchEvents, batchBytes, pollInterval, time, attempts, retryBackoff, maxRetryBackoff);
    }

    /** The same with other attempts and pauses. */
    public OutboxConfig withRetries(int most, Duration firstPause, Duration longestPause) {
        return new OutboxConfig(
                table, keyLock, batchEvents, batchBytes, pollInterval, leaseTime, most, firstPause, longestPause);
    }

    static int lane(int keyHash) {
        return keyHash & (LANES - 1);
    }

    private static boolean between(Duration given, long leastMillis, long mostMillis) {
        return given.compareTo(Duration.ofMillis(leastMillis)) >= 0
                && given.compareTo(Duration.ofMillis(mostMillis)) <= 0;
    }

    private static void require(boolean right, String setting, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(
                    "Outbox: " + setting + " is " + given + "; allowed is " + allowed + ". Change " + setting + ".");
        }
    }
}
