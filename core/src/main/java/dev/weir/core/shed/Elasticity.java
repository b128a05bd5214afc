package dev.weir.core.shed;

import java.util.Arrays;

/**
 * What more concurrency brings, found by trying: windows alternate between a limit below and one above, in the order
 * A B B A so that a trend cancels out. The elasticity of the throughput, ln(Xb / Xa) / ln(Lb / La), is 1 where the limit is
 * what limits and 0 where only the latency W grows; by Little's law that of the latency is the rest of 1, or less where the limit holds
 * up few. As completions are counts, the standard error of ln(Xb / Xa) is about sqrt(1 / Na + 1 / Nb); that of the medians is
 * similar. The experiment goes on until it can tell.
 *
 * <p>Rate control by small experiments is the idea of PCC (Dong et al., NSDI 2015). The step is wide at first and halves
 * when the direction turns.
 */
final class Elasticity {

    /** What an experiment says. */
    enum Verdict {
        UNKNOWN,
        /** More concurrency brings nearly as much throughput. */
        PROPORTIONAL,
        /** More concurrency brings a fair part of it, or costs no latency. */
        WORTH_MORE,
        /** In between: where the limit should be. */
        AT_KNEE,
        /** More concurrency brought only latency. */
        ONLY_LATENCY
    }

    private static final double WIDEST_STEP = 0.3;
    private static final double NARROWEST_STEP = 0.1;
    private static final int[] ORDER = {0, 1, 1, 0};
    private static final double PROPORTIONAL_FROM = 0.7;
    private static final double WORTH_FROM = 0.18;
    private static final double LATENCY_BELOW = 0.12;
    private static final double COSTS_FROM = 0.3;
    private static final double COSTS_NOTHING_BELOW = 0.15;
    private static final double ERRORS_TO_LEAP = 3;
    private static final double ERRORS_TO_RAISE = 1.6;
    private static final double ERRORS_TO_LOWER = 1.3;
    private static final double SURE_ENOUGH = 0.06;

    private final long[] completed = new long[2];
    private final double[] seconds = new double[2];
    private final double[] logLatency = new double[2];
    private double step = WIDEST_STEP;
    private boolean fell = true;
    private double mostPlaces = Double.MAX_VALUE;
    private int at;

    /** How far the limit moves on a verdict, as a share of it: half a step once the steps are narrow. */
    double move() {
        return step == NARROWEST_STEP ? NARROWEST_STEP / 2 : step;
    }

    /** The limit to try in the coming window around a limit to stand at. */
    int tried(double limit) {
        return side(limit, ORDER[at]);
    }

    private int side(double limit, int which) {
        int places = (int) Math.round(Math.max(1, Math.min(step * limit, mostPlaces)));
        return Math.max(1, (int) Math.round(limit) + (which == 0 ? -places : places));
    }

    /** Takes in the window that ran at {@link #tried}. */
    Verdict observe(Window window, double limit) {
        completed[ORDER[at]] += window.completed();
        seconds[ORDER[at]] += window.seconds();
        logLatency[ORDER[at]] += window.completed() * Math.log(Math.max(1, window.typicalLatencyNanos()));
        at = (at + 1) % ORDER.length;
        return at == 0 ? turned(weigh(limit)) : Verdict.UNKNOWN;
    }

    /**
     * Begins anew.
     *
     * @param drainedPlaces bounds the step: what drains within a healthy latency, or those who wait for a place would time out
     *     while a step down drains
     */
    void restart(double drainedPlaces) {
        mostPlaces = drainedPlaces;
        Arrays.fill(completed, 0);
        Arrays.fill(seconds, 0);
        Arrays.fill(logLatency, 0);
        at = 0;
    }

    private Verdict weigh(double limit) {
        if (completed[0] == 0 || completed[1] == 0) {
            return Verdict.UNKNOWN;
        }
        double span = Math.log((double) side(limit, 1) / side(limit, 0));
        double gain = Math.log((completed[1] / seconds[1]) / (completed[0] / seconds[0])) / span;
        double cost = (logLatency[1] / completed[1] - logLatency[0] / completed[0]) / span;
        double error = Math.sqrt(1.0 / completed[0] + 1.0 / completed[1]) / span;
        return verdict(gain, cost, error);
    }

    private static Verdict verdict(double gain, double cost, double error) {
        if (gain - ERRORS_TO_LEAP * error > PROPORTIONAL_FROM) {
            return Verdict.PROPORTIONAL;
        }
        if (gain - ERRORS_TO_RAISE * error > WORTH_FROM || cost + ERRORS_TO_RAISE * error < COSTS_NOTHING_BELOW) {
            return Verdict.WORTH_MORE;
        }
        if (gain + ERRORS_TO_LOWER * error < LATENCY_BELOW * Math.min(1, cost) && cost > COSTS_FROM) {
            return Verdict.ONLY_LATENCY;
        }
        return error < SURE_ENOUGH ? Verdict.AT_KNEE : Verdict.UNKNOWN;
    }

    private Verdict turned(Verdict verdict) {
        switch (verdict) {
            case PROPORTIONAL, WORTH_MORE -> turn(false);
            case ONLY_LATENCY -> turn(true);
            case AT_KNEE -> step = NARROWEST_STEP;
            case UNKNOWN -> {}
        }
        return verdict;
    }

    private void turn(boolean falls) {
        if (falls != fell) {
            step = Math.max(NARROWEST_STEP, step / 2);
            fell = falls;
        }
    }
}
