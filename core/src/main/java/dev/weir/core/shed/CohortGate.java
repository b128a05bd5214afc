package dev.weir.core.shed;

/**
 * Which share of a priority's cohorts is let through to the limit. Where the limit would refuse some of everybody's
 * requests, the gate refuses all of some callers' for a while, so that whoever is let through is served more reliably (as
 * WeChat's DAGOR does with its user levels, Zhou et al., SoCC 2018). It steers towards a share of what it lets through being refused
 * by the limit. That share cannot be small: arrivals are random, and a gate that let through just what the limit admits
 * on average would leave places empty; with L places at critical load Erlang's loss formula refuses about
 * sqrt(2 / (pi L)). The correction is proportional in both directions, so noise does not close the gate; after some windows without a
 * refusal it opens in leaps. Pure; not thread-safe.
 */
final class CohortGate {

    private static final double REFUSED_BEHIND = 0.35;
    private static final double MOST_REFUSED_BEHIND = 0.75;
    private static final double CALM_WINDOWS = 3;
    private static final double LEAP = 1.6;
    private static final double LEAST_FACTOR = 0.5;
    private static final double LEAST_OPEN = 0.01;

    private double open = 1;
    private int calmWindows;

    /** The share let through, 0.01 to 1; never 0, so that it is seen when room comes. */
    double open() {
        return open;
    }

    /**
     * Takes a window in.
     *
     * @param admitted requests of this priority that were admitted
     * @param refused requests of this priority that passed the gate and that the limit refused
     * @param refusedAbove requests of higher priorities that the limit refused beyond what is tolerated
     * @param limit places in all
     */
    void window(long admitted, long refused, double refusedAbove, int limit) {
        double passed = (double) Math.max(1, admitted + refused);
        double blocked = Math.min(passed, refused + refusedAbove);
        calmWindows = blocked > 0 ? 0 : calmWindows + 1;
        double factor = calmWindows > CALM_WINDOWS ? LEAP : 1 + refusedBehind(limit) - blocked / passed;
        open = Math.clamp(open * Math.max(LEAST_FACTOR, factor), LEAST_OPEN, 1);
    }

    private static double refusedBehind(int limit) {
        return Math.min(MOST_REFUSED_BEHIND, REFUSED_BEHIND + Math.sqrt(2 / (Math.PI * limit)));
    }
}
