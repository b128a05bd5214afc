package dev.weir.core.shed;

import java.time.Duration;

/** Where the limit comes from. */
public sealed interface LimitMode {

    /**
     * A number from the user.
     *
     * @param limit requests in flight, 1 to 1,000,000
     */
    record Fixed(int limit) implements LimitMode {

        public Fixed {
            if (limit < 1 || limit > Occupancy.MOST_IN_FLIGHT) {
                throw new IllegalArgumentException(
                        "The limit is %d; it must lie between 1 and 1,000,000.".formatted(limit));
            }
        }
    }

    /**
     * Found while running.
     *
     * @param initial limit at start, and what a quiet service falls back to
     * @param min the limit never falls below
     * @param max the limit never rises above, at most 1,000,000
     * @param inFlightMultiple the limit is never raised above this multiple of the requests that were in flight, at least
     *     1.5
     * @param healthyLatency the most that may count as a healthy 90th percentile, however long it lasts
     * @param warmUp from start on, while code is compiled and caches fill: nothing is learned and the limit stays
     */
    record Adaptive(int initial, int min, int max, double inFlightMultiple, Duration healthyLatency, Duration warmUp)
            implements LimitMode {

        private static final double LEAST_MULTIPLE = 1.5;

        public Adaptive {
            if (min < 1 || initial < min || max < initial || max > Occupancy.MOST_IN_FLIGHT) {
                throw new IllegalArgumentException(
                        "The limits are %d (min), %d (initial), %d (max); they must rise and lie between 1 and 1,000,000."
                                .formatted(min, initial, max));
            }
            if (!(inFlightMultiple >= LEAST_MULTIPLE)) {
                throw new IllegalArgumentException(
                        "in-flight-multiple is %s; it must be 1.5 or more.".formatted(inFlightMultiple));
            }
            if (healthyLatency.isNegative() || healthyLatency.isZero()) {
                throw new IllegalArgumentException(
                        "healthy-latency is %s; it must be above 0.".formatted(healthyLatency));
            }
            if (warmUp.isNegative()) {
                throw new IllegalArgumentException("warm-up is %s; it must be 0 or more.".formatted(warmUp));
            }
        }

        /** Starts at 64, stays in 4 to 10,000, at most 4 times what is in flight; healthy up to 1 s; 5 s to warm up. */
        public static Adaptive defaults() {
            return new Adaptive(64, 4, 10_000, 4, Duration.ofSeconds(1), Duration.ofSeconds(5));
        }
    }
}
