package dev.weir.starter.watch;

import dev.weir.core.watch.WatchConfig;
import dev.weir.starter.SettingException;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * A time budget for each request, and a line in the log where it is exceeded.
 *
 * @param enabled whether requests are watched
 * @param slow times above which a request or a call within it is logged, 0s to 1d
 * @param many counts in one request at which it is logged, 0 for never
 * @param logEvery least time between two lines about the same, 0s to 1d
 * @param maxFingerprints statements, commands, addresses and requests that are told apart in the log, 1 to 100000
 * @param serverTiming whether answers have a header Server-Timing, which tells every client where the time goes
 */
@ConfigurationProperties(prefix = "weir.watch", ignoreUnknownFields = false)
record WatchProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue Slow slow,
        @DefaultValue Many many,
        @DefaultValue("10s") Duration logEvery,
        @DefaultValue("500") int maxFingerprints,
        @DefaultValue("false") boolean serverTiming) {

    /**
     * Times that are too long.
     *
     * @param request of the whole request
     * @param remote of one call of another service
     * @param redis of one command to Redis
     * @param sql of one statement, or of fetching its rows
     */
    record Slow(
            @DefaultValue("500ms") Duration request,
            @DefaultValue("200ms") Duration remote,
            @DefaultValue("10ms") Duration redis,
            @DefaultValue("100ms") Duration sql) {}

    /**
     * Counts that are too high.
     *
     * @param sameQuery executions of one statement
     * @param beans beans of prototype, request or other scope made for the request
     * @param exceptions exceptions seen
     * @param threads threads made
     * @param logBytes written to the log
     */
    record Many(
            @DefaultValue("20") int sameQuery,
            @DefaultValue("20") int beans,
            @DefaultValue("20") int exceptions,
            @DefaultValue("20") int threads,
            @DefaultValue("64KB") DataSize logBytes) {}

    WatchProperties {
        var ignored = config(slow, many, logEvery, maxFingerprints);
    }

    WatchConfig config() {
        return config(slow, many, logEvery, maxFingerprints);
    }

    private static WatchConfig config(Slow slow, Many many, Duration logEvery, int maxFingerprints) {
        WatchConfig.Slow times = checked(
                "weir.watch.slow", () -> new WatchConfig.Slow(slow.request(), slow.remote(), slow.redis(), slow.sql()));
        WatchConfig.Many counts = checked(
                "weir.watch.many",
                () -> new WatchConfig.Many(
                        many.sameQuery(),
                        many.beans(),
                        many.exceptions(),
                        many.threads(),
                        many.logBytes().toBytes()));
        return checked("weir.watch", () -> new WatchConfig(times, counts, logEvery, maxFingerprints));
    }

    private static <T> T checked(String group, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw SettingException.saying(
                    group + " cannot be used: " + e.getMessage(), "Correct it, or remove it for the default.");
        }
    }
}
