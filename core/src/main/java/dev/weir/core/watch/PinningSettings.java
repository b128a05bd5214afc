package dev.weir.core.watch;

import java.time.Duration;

/**
 * What the pinning watch looks for.
 *
 * @param threshold shorter pins are not seen at all; 1 ms to 1 minute
 * @param maxSites places kept with their stack; 1 to 1,000. Pins at further places are counted without a place
 */
public record PinningSettings(Duration threshold, int maxSites) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int MOST_SITES = 1_000;

    public PinningSettings {
        if (threshold.compareTo(SHORTEST) < 0 || threshold.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The pinning threshold is " + threshold.toMillis() + " ms: give 1 ms to 1 minute.");
        }
        if (maxSites < 1 || maxSites > MOST_SITES) {
            throw new IllegalArgumentException(
                    "The pinning watch is to keep " + maxSites + " sites: give 1 to " + MOST_SITES + ".");
        }
    }
}
