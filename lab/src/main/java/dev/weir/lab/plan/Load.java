package dev.weir.lab.plan;

import java.time.Duration;

/**
 * How requests are to arrive in one bounded run.
 *
 * @param mode open or closed loop
 * @param ratePerSecond total over all connections; above 0 for an open loop, 0 for a closed one
 * @param duration the longest the schedule may take; above 0
 * @param maxRequests the run also ends after this many requests; {@link Long#MAX_VALUE} for no such bound
 * @param seed of random arrivals, so that a run can be repeated
 */
public record Load(Mode mode, double ratePerSecond, Duration duration, long maxRequests, long seed) {

    /** When the next request is sent. */
    public enum Mode {
        /** At even distances, whatever the service does. */
        CONSTANT,
        /** At exponentially distributed distances, as independent users arrive, whatever the service does. */
        POISSON,
        /** Whenever a connection has its answer, as wrk does; a slow service is asked less. */
        CLOSED
    }

    public Load {
        if (mode == Mode.CLOSED ? ratePerSecond != 0 : !(ratePerSecond > 0 && Double.isFinite(ratePerSecond))) {
            throw new IllegalArgumentException("rate is " + ratePerSecond + " requests/s; an open loop needs a rate"
                    + " above 0, a closed loop takes none");
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration is " + duration + "; it must be above 0");
        }
        if (maxRequests < 1) {
            throw new IllegalArgumentException("number of requests is " + maxRequests + "; it must be 1 or more");
        }
    }

    /** An open loop with random arrivals at a rate, for a duration. */
    public static Load poisson(double ratePerSecond, Duration duration, long seed) {
        return new Load(Mode.POISSON, ratePerSecond, duration, Long.MAX_VALUE, seed);
    }

    /** An open loop with even arrivals at a rate, for a duration. */
    public static Load constant(double ratePerSecond, Duration duration) {
        return new Load(Mode.CONSTANT, ratePerSecond, duration, Long.MAX_VALUE, 0);
    }

    /** A closed loop for a duration. */
    public static Load closed(Duration duration) {
        return new Load(Mode.CLOSED, 0, duration, Long.MAX_VALUE, 0);
    }
}
