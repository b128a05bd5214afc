package dev.weir.core.watch;

import dev.weir.core.time.DurationText;
import java.time.Duration;

/**
 * From when on a request, or a call within it, is logged. Checked when made.
 *
 * @param slow times that are too long
 * @param many counts that are too high
 * @param logEvery least time between two log lines of one fingerprint, 0 to 1 day
 * @param maxFingerprints fingerprints whose lines are told apart, 1 to 100,000; those beyond share one
 */
public record WatchConfig(Slow slow, Many many, Duration logEvery, int maxFingerprints) {

    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int MOST_FINGERPRINTS = 100_000;

    /**
     * Times above which a request or one call is logged, 0 (each one) to 1 day.
     *
     * @param request of the whole request
     * @param remote of one call of another service
     * @param redis of one command
     * @param sql of one statement or the fetching of its rows
     */
    public record Slow(Duration request, Duration remote, Duration redis, Duration sql) {

        public Slow {
            bounded("slow request", request);
            bounded("slow remote call", remote);
            bounded("slow Redis command", redis);
            bounded("slow statement", sql);
        }
    }

    /**
     * Counts in one request at which it is logged; 0 for never.
     *
     * @param sameQuery executions of one statement
     * @param beans beans made for the request
     * @param exceptions exceptions seen
     * @param threads threads made
     * @param logBytes bytes logged
     */
    public record Many(int sameQuery, int beans, int exceptions, int threads, long logBytes) {

        public Many {
            notNegative("executions of one statement", sameQuery);
            notNegative("beans", beans);
            notNegative("exceptions", exceptions);
            notNegative("threads", threads);
            notNegative("bytes logged", logBytes);
        }
    }

    public WatchConfig {
        bounded("least time between two lines", logEvery);
        if (maxFingerprints < 1 || maxFingerprints > MOST_FINGERPRINTS) {
            throw new IllegalArgumentException(
                    "%d fingerprints were given: give 1 to %d.".formatted(maxFingerprints, MOST_FINGERPRINTS));
        }
    }

    /** 500 ms, 200 ms, 10 ms and 100 ms; 20 of each count and 64 KB of log; a line of a kind every 10 s. */
    public static WatchConfig defaults() {
        return new WatchConfig(
                new Slow(Duration.ofMillis(500), Duration.ofMillis(200), Duration.ofMillis(10), Duration.ofMillis(100)),
                new Many(20, 20, 20, 20, 64 * 1024),
                Duration.ofSeconds(10),
                500);
    }

    private static void bounded(String what, Duration given) {
        if (given.isNegative() || given.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "For the %s %s was given: give 0s to 1d.".formatted(what, DurationText.of(given)));
        }
    }

    private static void notNegative(String what, long given) {
        if (given < 0) {
            throw new IllegalArgumentException(
                    "For the %s %d was given: give 0 for no bound, or more.".formatted(what, given));
        }
    }
}
