package dev.weir.core.time;

import java.time.Duration;

/** Durations as a configuration writes them, for sentences about settings. */
public final class DurationText {

    private static final int MOST_SECONDS_IN_NANOS = 1_000_000_000;

    private DurationText() {}

    /** In the largest unit that divides it: {@code 5ms}, {@code 90s}, {@code 1d}; any duration, also an absurd one. */
    public static String of(Duration duration) {
        long seconds = duration.getSeconds();
        // Beside so many seconds their fraction says nothing, and would not fit a long.
        return duration.getNano() == 0 || Math.abs(seconds) > MOST_SECONDS_IN_NANOS
                ? ofSeconds(seconds)
                : ofNanos(duration.toNanos());
    }

    private static String ofSeconds(long seconds) {
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 3_600 != 0) {
            return seconds / 60 + "m";
        }
        return seconds % 86_400 != 0 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
    }

    private static String ofNanos(long nanos) {
        if (nanos % 1_000 != 0) {
            return nanos + "ns";
        }
        return nanos % 1_000_000 != 0 ? nanos / 1_000 + "us" : nanos / 1_000_000 + "ms";
    }
}
