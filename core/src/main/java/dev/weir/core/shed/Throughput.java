package dev.weir.core.shed;

/**
 * How many requests a second the service serves when it is asked for as many as it can: while somebody is held up what it serves, over
 * about a second; otherwise the most that it served lately, for an idle service is not a slow one. Pure; not thread-safe.
 */
final class Throughput {

    private static final double SMOOTH_SECONDS = 1;
    private static final double FORGET_SECONDS = 600;

    private double recent;
    private double served = Double.POSITIVE_INFINITY;

    /**
     * Takes a window in.
     *
     * @param seconds its length
     * @param ended requests that ended in it
     * @param held whether anybody was held up
     */
    void window(double seconds, long ended, boolean held) {
        recent += (1 - Math.exp(-seconds / SMOOTH_SECONDS)) * (ended / seconds - recent);
        if (held || Double.isInfinite(served)) {
            served = Math.max(recent, Double.MIN_NORMAL);
        } else {
            served = Math.max(recent, served * Math.exp(-seconds / FORGET_SECONDS));
        }
    }

    /** Above 0; without bound as long as nothing is known. */
    double servedPerSecond() {
        return served;
    }
}
