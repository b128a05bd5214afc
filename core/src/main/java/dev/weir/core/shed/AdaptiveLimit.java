package dev.weir.core.shed;

import dev.weir.core.shed.LimitMode.Adaptive;

/**
 * Finds how many requests in flight the service needs for its full throughput, and no more.
 *
 * <p>The problem: under a steady overload the requests in flight always stand at the limit, and by Little's law (L = X W)
 * their latency is whatever the limit makes it. Rules that compare the latency with one measured before take that
 * latency for the norm sooner or later, raise the limit, and drift. So the limit is raised on one kind of evidence
 * only: that more concurrency brought more throughput.
 *
 * <p>Four parts, by how fast they act. <em>Cut</em>: where the limit holds requests up and the 90th percentile is far above the
 * healthy one, the limit falls at once to what Little's law says the throughput needs at a healthy latency (the
 * bandwidth-delay product of BBR, Cardwell et al., ACM Queue 2016), and then rests until what was admitted before has gone. Where the
 * throughput then fell with the limit, the service had become slower, not fuller: the cut is taken back, and the new latency is the
 * healthy one, unless it is above the ceiling.
 * <em>Surge</em>: at first, and where throughput follows the limit, it grows by half a window while throughput follows.
 * <em>Experiment</em>: {@link Elasticity} alternates the limit and moves it to where more brings little. <em>Rest</em>:
 * where the limit holds nobody up, there is nothing to learn and it stays.
 *
 * <p>No clock and no thread: windows come in, limits go out. Not thread-safe.
 */
final class AdaptiveLimit implements LimitRule {

    private static final long LEAST_SAMPLES = 20;
    /** How far above the healthy latency counts as queueing. */
    private static final double STRETCHED = 2;
    /** Room above throughput times healthy latency; with a 90th percentile in place of the mean this is generous. */
    private static final double ROOM = 1.5;

    private static final double LEAST_CUT = 0.9;
    private static final double DEEPEST_CUT = 0.5;
    private static final double CUT_LOST = 0.5;
    private static final double SURGE = 1.5;
    private static final double SURGE_GAIN = 0.4;
    private static final double LOWER_DOWNSTREAM = 0.95;
    private static final double LOWER_DROPPED = 0.9;
    private static final double MANY_DROPPED = 0.05;
    private static final double NO_RAISE_STRAIN = 0.5;
    private static final double PEAK_SECONDS = 600;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Adaptive config;
    private final HealthyLatency healthy;
    private final Elasticity experiment = new Elasticity();
    private double limit;
    private int applied;
    private double peakInFlight;
    private double restUntilSeconds;
    private double drainedPlaces = Double.MAX_VALUE;
    private boolean surging = true;
    private double cutFrom;
    private double cutPerSecond;
    private double restoreTo;
    private double surgedFrom;
    private double surgedPerSecond;

    AdaptiveLimit(Adaptive config) {
        this.config = config;
        this.healthy = new HealthyLatency((double) config.healthyLatency().toNanos());
        this.limit = config.initial();
        this.applied = config.initial();
    }

    /** Where the limit stands, without the step of a running experiment. */
    @Override
    public int limit() {
        return (int) Math.round(limit);
    }

    double healthyNanos() {
        return healthy.nanos();
    }

    @Override
    public int update(Window window, double downstream, double strain) {
        boolean warm = window.sinceStartSeconds() - window.seconds() * 0.5
                >= config.warmUp().toNanos() / NANOS_PER_SECOND;
        if (warm && window.samples() >= LEAST_SAMPLES) {
            learn(window, downstream, strain);
        }
        return applied;
    }

    private void learn(Window window, double downstream, double strain) {
        peakInFlight = Math.max(window.peakInFlight(), peakInFlight * Math.exp(-window.seconds() / PEAK_SECONDS));
        if (window.sinceStartSeconds() - window.seconds() < restUntilSeconds) {
            return;
        }
        healthy.observe(window);
        drainedPlaces = window.perSecond() * healthy.nanos() / NANOS_PER_SECOND;
        if (downstream >= 1) {
            lower(LOWER_DOWNSTREAM, window);
        } else if (window.dropped() > MANY_DROPPED * window.completed()) {
            lower(LOWER_DROPPED, window);
        } else if (!window.bound()) {
            rest();
        } else if (cutWasWrong(window)) {
            takeBack();
        } else if (needed(window) < LEAST_CUT * limit && stretched(window)) {
            cut(window);
        } else if (surging) {
            surge(window, strain);
        } else {
            experiment(window, strain);
        }
    }

    private void cut(Window window) {
        cutFrom = limit;
        cutPerSecond = window.perSecond();
        lower(Math.max(DEEPEST_CUT, needed(window) / limit), window);
    }

    /**
     * Whether the first window after a cut shows that throughput fell with the limit: the latency was not a queue's but the
     * service's own, which became slower, and is now the healthy one.
     */
    private boolean cutWasWrong(Window window) {
        if (cutFrom == 0) {
            return false;
        }
        double lost = Math.log(window.perSecond() / cutPerSecond) / Math.log(applied / cutFrom);
        boolean wrong = lost > CUT_LOST && healthy.replace(window);
        restoreTo = cutFrom;
        cutFrom = 0;
        return wrong;
    }

    private void takeBack() {
        surging = true;
        surgedFrom = 0;
        stand(restoreTo);
    }

    private boolean stretched(Window window) {
        return window.highLatencyNanos() > STRETCHED * healthy.nanos();
    }

    /** Little's law at the healthy latency. */
    private double needed(Window window) {
        return ROOM * window.perSecond() * healthy.nanos() / NANOS_PER_SECOND;
    }

    private void lower(double factor, Window window) {
        double before = Math.min(limit, Math.max(window.peakInFlight(), config.min()));
        surging = false;
        stand(before * factor);
        double drainSeconds = Math.max(0, window.peakInFlight() - limit) / Math.max(1, window.perSecond());
        restUntilSeconds = window.sinceStartSeconds() + drainSeconds + healthy.nanos() / NANOS_PER_SECOND;
    }

    private void rest() {
        experiment.restart(drainedPlaces);
        cutFrom = 0;
        surgedFrom = 0;
        applied = limit();
    }

    private void surge(Window window, double strain) {
        if (surgedFrom > 0 && gain(window) - gainError(window) < SURGE_GAIN) {
            surging = false;
            stand(surgedFrom);
            return;
        }
        surgedFrom = limit;
        surgedPerSecond = window.perSecond();
        raise(SURGE, strain);
        surging = limit > surgedFrom;
    }

    /** The standard error of {@link #gain}, whose two windows are about equal. */
    private double gainError(Window window) {
        return Math.sqrt(2.0 / window.completed()) / Math.log(limit / surgedFrom);
    }

    private double gain(Window window) {
        return Math.log(window.perSecond() / surgedPerSecond) / Math.log(limit / surgedFrom);
    }

    private void experiment(Window window, double strain) {
        if (applied != tried()) {
            applied = tried();
            return;
        }
        double move = experiment.move();
        switch (experiment.observe(window, limit)) {
            case PROPORTIONAL -> {
                healthy.adopt(window);
                surging = true;
                surgedFrom = 0;
                raise(1 + move, strain);
            }
            case WORTH_MORE -> {
                healthy.adopt(window);
                raise(1 + move, strain);
            }
            case ONLY_LATENCY -> stand(limit * (1 - move));
            case AT_KNEE -> stand(limit);
            case UNKNOWN -> applied = tried();
        }
    }

    private void raise(double factor, double strain) {
        double most = Math.max(config.initial(), config.inFlightMultiple() * peakInFlight);
        stand(strain >= NO_RAISE_STRAIN ? limit : Math.max(limit, Math.min(limit * factor, most)));
    }

    private void stand(double value) {
        limit = Math.clamp(value, config.min(), config.max());
        experiment.restart(drainedPlaces);
        applied = surging ? limit() : tried();
    }

    /** What the experiment wants in the next window. */
    private int tried() {
        return Math.clamp(experiment.tried(limit), config.min(), config.max());
    }
}
