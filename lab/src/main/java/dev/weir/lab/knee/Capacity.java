package dev.weir.lab.knee;

import java.util.Locale;

/**
 * The rate at which a service stalls, as an interval.
 *
 * @param lowPerSecond highest rate confirmed as sustained; 0 where not even the lowest was
 * @param highPerSecond lowest rate confirmed as not sustained; infinite where none was found up to the highest tried
 * @param limit what set it
 */
public record Capacity(double lowPerSecond, double highPerSecond, Limit limit) {

    /** What kept the service from more. */
    public enum Limit {
        /** The latency objective broke first. */
        SLO,
        /** Completions stayed behind arrivals: the service does no more. */
        PLATEAU,
        /** Too many requests failed. */
        ERRORS,
        /** The generator, or the machine it shares, could not offer more. */
        GENERATOR,
        /** The highest rate allowed was sustained. */
        MAX_RATE;

        /** The word used in text and JSON output, for example {@code max-rate}. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Middle of the interval; its low end where the high one is open. */
    public double midPerSecond() {
        return Double.isInfinite(highPerSecond) ? lowPerSecond : (lowPerSecond + highPerSecond) / 2;
    }
}
