package dev.weir.lab.knee;

import dev.weir.lab.knee.Capacity.Limit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the limit lies, as far as the trials allow more than bisecting.
 *
 * <p>A service that can do no more completes its capacity while it is overloaded, so the rate completed under a standing
 * backlog is the limit itself. A latency objective is crossed where limit / percentile falls to 1; near saturation a
 * percentile of a queue grows like {@code 1 / (capacity - rate)} (exactly so for the M/M/1 queue: Kleinrock, Queueing
 * Systems 1, 1975, chapter 3), so limit / percentile is close to a straight line in the rate.
 *
 * @param ratePerSecond the limit
 * @param relativeError its standard error / itself
 * @param seconds of saturated operation it rests on; 0 for a crossing
 */
record Estimate(double ratePerSecond, double relativeError, int seconds) {

    /** Below this headroom at the low end, an objective and not the plateau is what the search closes in on. */
    private static final double TIGHT_HEADROOM = 2.5;

    /** Saturated for so long, a service of few requests has shown its capacity as well as it can within a check. */
    private static final int LONG_SECONDS = 10;

    /** A pass that is farther than this from what a measured capacity allows speaks against the measurement. */
    private static final double LUCK_SIGMAS = 3;

    /** Relaxation times of a queue after which its latencies are taken as settled. */
    private static final double SETTLE_TIMES = 4;

    /** The estimate the bracket allows; null where there is none and only bisecting is left. */
    static @Nullable Estimate of(List<Trial> trials, Bracket bracket, double precision) {
        Trial low = bracket.low();
        Trial high = bracket.high();
        if (low == null || high == null) {
            return null;
        }
        boolean tight = high.judgement().limit() == Limit.SLO || low.judgement().headroom() < TIGHT_HEADROOM;
        Estimate crossing = tight ? crossing(trials, low, high, precision) : null;
        return crossing != null ? crossing : plateau(trials, low, high, precision);
    }

    /** The rate completed under overload alone, before any rate has passed; null where there was none. */
    static @Nullable Estimate plateauOf(List<Trial> trials, double precision) {
        List<Throughput> all = throughputs(trials);
        Throughput pooled = largestCluster(all, precision);
        return pooled == null ? null : new Estimate(pooled.perSecond(), pooled.relativeError(), pooled.seconds());
    }

    /** How far from it a rate is that may still be the same; relative to it. */
    private double margin(double precision) {
        return Math.clamp(2 * relativeError, 0.3 * precision, precision);
    }

    /** Exact enough to put the ends of an interval around it. */
    boolean precise(double precision) {
        return 2 * relativeError <= precision;
    }

    /** The rate completed under overload, where it agrees with what passed and failed; null otherwise. */
    static @Nullable Estimate plateau(List<Trial> trials, Bracket bracket, double precision) {
        Trial low = bracket.low();
        Trial high = bracket.high();
        return low == null || high == null ? null : plateau(trials, low, high, precision);
    }

    /**
     * The trials that count as passed or failed. From an empty queue it takes about {@code 1 / (capacity (1 - u)^2)} to
     * reach the latencies of a utilisation u, so a rate that met a tight latency objective for less than a few times that
     * has shown nothing (estimating from a transient is biased upwards). And a rate above what was measured under
     * overload, that passed for so short a time that chance alone can have kept its queue small, says nothing against it.
     */
    static List<Trial> credible(List<Trial> trials, double precision) {
        Estimate plateau = plateauOf(trials, precision);
        Estimate overloaded =
                plateauOf(trials.stream().filter(trial -> !trial.passed()).toList(), precision);
        return trials.stream()
                .filter(trial -> !(trial.passed() && plateau != null && plateau.wasTooShortFor(trial, precision)))
                .filter(trial -> !(trial.passed() && overloaded != null && overloaded.allowsLuckOf(trial, precision)))
                .toList();
    }

    private boolean wasTooShortFor(Trial pass, double precision) {
        return precise(precision)
                && pass.judgement().headroom() <= TIGHT_HEADROOM
                && pass.seconds() < secondsToSettle(pass.ratePerSecond(), ratePerSecond);
    }

    /**
     * Whether a queue that grows by rate - capacity a second may have seemed not to grow: arrivals and completions
     * together vary by about {@code sqrt(2 rate t)}, see {@link Backlog}.
     */
    private boolean allowsLuckOf(Trial pass, double precision) {
        double excess = (pass.ratePerSecond() - ratePerSecond) * pass.seconds();
        double chance = Math.hypot(
                Math.sqrt(2 * pass.ratePerSecond() * pass.seconds()), relativeError * ratePerSecond * pass.seconds());
        return (precise(precision) || seconds >= LONG_SECONDS)
                && pass.ratePerSecond() > ratePerSecond * (1 + margin(precision))
                && excess < LUCK_SIGMAS * chance;
    }

    /** How long a rate is to be held so that its latencies tell; 0 where nothing is known of the capacity. */
    static double secondsToSettle(List<Trial> trials, double rate, double precision) {
        Estimate plateau = plateauOf(trials, precision);
        return plateau == null || !plateau.precise(precision) ? 0 : secondsToSettle(rate, plateau.ratePerSecond);
    }

    private static double secondsToSettle(double rate, double capacity) {
        double spare = 1 - rate / capacity;
        return spare <= 0 ? Double.POSITIVE_INFINITY : SETTLE_TIMES / (capacity * spare * spare);
    }

    private static @Nullable Estimate plateau(List<Trial> trials, Trial low, Trial high, double precision) {
        Estimate estimate = plateauOf(trials, precision);
        if (estimate == null) {
            return null;
        }
        if (estimate.relativeError > 3 * precision) {
            return null;
        }
        double margin = estimate.margin(precision);
        // A rate that passed with a standing backlog all along passed by luck, at least nearly.
        double luck = low.judgement().busy() ? precision : margin;
        boolean above = estimate.ratePerSecond * (1 + luck) >= low.ratePerSecond();
        boolean below = estimate.ratePerSecond * (1 - margin) <= high.ratePerSecond();
        return above && below ? estimate : null;
    }

    /**
     * The mean of those throughputs that agree with each other, taking the group with the most seconds: a step hit by
     * noise, or cut out of a longer cycle of the service, stands apart.
     */
    private static @Nullable Throughput largestCluster(List<Throughput> all, double precision) {
        Throughput best = null;
        for (Throughput centre : all) {
            List<Throughput> near = all.stream()
                    .filter(other -> agree(centre, other, precision))
                    .toList();
            Throughput pooled = Throughput.pooled(near);
            if (best == null
                    || pooled.seconds() > best.seconds()
                    || (pooled.seconds() == best.seconds() && pooled.perSecond() > best.perSecond())) {
                best = pooled;
            }
        }
        return best;
    }

    private static boolean agree(Throughput one, Throughput other, double precision) {
        double tolerance =
                Math.max(1.5 * precision * one.perSecond(), 2 * Math.hypot(one.standardError(), other.standardError()));
        return Math.abs(one.perSecond() - other.perSecond()) <= tolerance;
    }

    private static List<Throughput> throughputs(List<Trial> trials) {
        return trials.stream()
                .filter(trial -> !trial.passed() || trial.judgement().busy())
                .map(trial -> trial.judgement().throughput())
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable Estimate crossing(List<Trial> trials, Trial low, Trial high, double precision) {
        double top = low.judgement().headroom();
        Estimate plateau = plateau(trials, low, high, precision);
        // At its capacity a service has no headroom left, whatever a short step beyond it showed.
        Estimate anchor = plateau != null && plateau.precise(precision) && plateau.ratePerSecond > low.ratePerSecond()
                ? plateau
                : null;
        double end = anchor == null ? high.ratePerSecond() : anchor.ratePerSecond;
        double bottom = anchor == null ? high.judgement().headroom() : 0;
        if (Double.isInfinite(top) || !(top > bottom) || bottom > 1) {
            return null;
        }
        double secant = low.ratePerSecond() + (end - low.ratePerSecond()) * (top - 1) / (top - bottom);
        Line line = new Line();
        trials.stream()
                .filter(trial -> Math.abs(trial.ratePerSecond() / secant - 1) <= 3 * precision)
                .filter(trial -> Double.isFinite(trial.judgement().headroom()))
                .forEach(trial ->
                        line.add(trial.ratePerSecond(), trial.judgement().headroom(), trial.seconds()));
        if (anchor != null) {
            line.add(end, 0, anchor.seconds);
        }
        double rate = line.points >= 3 && line.slope() < 0 ? line.crossing() : secant;
        return new Estimate(
                Math.clamp(rate, low.ratePerSecond(), Math.min(end, high.ratePerSecond())), 0.4 * precision, 0);
    }

    /** Least-squares line through headrooms; a percentile's error is a share of itself, so small ones are the sure ones. */
    private static final class Line {
        private static final double LEAST_HEADROOM = 0.3;

        private int points;
        private double weights;
        private double rates;
        private double rooms;
        private double products;
        private double squares;

        void add(double rate, double headroom, int seconds) {
            double weight = seconds / Math.pow(Math.max(LEAST_HEADROOM, headroom), 2);
            points++;
            weights += weight;
            rates += weight * rate;
            rooms += weight * headroom;
            products += weight * rate * headroom;
            squares += weight * rate * rate;
        }

        double slope() {
            return (weights * products - rates * rooms) / (weights * squares - rates * rates);
        }

        /** The rate at which the headroom is 1. */
        double crossing() {
            return rates / weights + (1 - rooms / weights) / slope();
        }
    }
}
