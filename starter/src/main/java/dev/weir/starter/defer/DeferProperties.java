package dev.weir.starter.defer;

import dev.weir.core.defer.BestEffortConfig;
import dev.weir.starter.SettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Work that need not be done before the answer.
 *
 * @param enabled whether Deferrable and BestEffort take effect; otherwise annotated methods run in line
 * @param table name of the table for deferred calls; its settings besides are those of weir.outbox
 * @param concurrency how many deferred calls run at once at most, 1 to 10000
 * @param holdFor how long deferred calls stay in their table at most while weir.shed says that the service is under pressure, 0s to 1h
 * @param maxBytes largest deferred call with its arguments, 1KB to 64MB
 * @param bestEffort bounds of best effort
 */
@ConfigurationProperties(prefix = "weir.defer", ignoreUnknownFields = false)
record DeferProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("weir_deferred") String table,
        @DefaultValue("32") int concurrency,
        @DefaultValue("30s") Duration holdFor,
        @DefaultValue("1MB") DataSize maxBytes,
        @DefaultValue Bounds bestEffort) {

    private static final int MOST_CONCURRENCY = 10_000;
    private static final DataSize LEAST_BYTES = DataSize.ofKilobytes(1);
    private static final DataSize MOST_BYTES = DataSize.ofMegabytes(64);
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(10);
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    /**
     * Bounds of best effort.
     *
     * @param running tasks that run at once at most, 1 to 100000
     * @param waiting tasks that wait for their turn at most; what comes then is dropped; 0 to 10000000
     * @param drain how long a stop waits for tasks before it drops them, 0s to 10m
     */
    record Bounds(
            @DefaultValue("64") int running,
            @DefaultValue("10000") int waiting,
            @DefaultValue("5s") Duration drain) {

        BestEffortConfig config() {
            return new BestEffortConfig(running, waiting);
        }
    }

    DeferProperties {
        if (!table.matches("[a-z_][a-z0-9_]{0,39}")) {
            throw new SettingException(
                    "weir.defer.table",
                    table,
                    "1 to 40 lower-case letters, digits or _",
                    "Rename it, or remove it for weir_deferred.");
        }
        if (concurrency < 1 || concurrency > MOST_CONCURRENCY) {
            throw new SettingException(
                    "weir.defer.concurrency",
                    concurrency,
                    "a number from 1 to " + MOST_CONCURRENCY,
                    "Correct it, or remove it for 32.");
        }
        if (holdFor.isNegative() || holdFor.compareTo(LONGEST_HOLD) > 0) {
            throw new SettingException(
                    "weir.defer.hold-for",
                    holdFor.toMillis() + "ms",
                    "a duration from 0s to 1h",
                    "Correct it, or remove it for 30s.");
        }
        if (maxBytes.compareTo(LEAST_BYTES) < 0 || maxBytes.compareTo(MOST_BYTES) > 0) {
            throw new SettingException(
                    "weir.defer.max-bytes", maxBytes, "a size from 1KB to 64MB", "Correct it, or remove it for 1MB.");
        }
        Duration drain = bestEffort.drain();
        if (drain.isNegative() || drain.compareTo(LONGEST_DRAIN) > 0) {
            throw new SettingException(
                    "weir.defer.best-effort.drain",
                    drain.toMillis() + "ms",
                    "a duration from 0s to 10m",
                    "Correct it, or remove it for 5s.");
        }
        var ignored = bestEffort.config();
    }
}
