package dev.weir.core.shed;

import java.util.ArrayList;
import java.util.List;

/**
 * Ten times a second, from what happened since the last time: the cohorts to let through, the pressure, the time for Retry-After;
 * and whenever enough was measured, the limit. Driven by whoever finds that it is due, one thread at a time; what it decides
 * is read by all through {@link #view}.
 */
final class Regulator {

    static final long INTERVAL_NANOS = 100_000_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double TYPICAL = 0.5;
    private static final double HIGH = 0.9;
    private static final long ENOUGH_SAMPLES = 100;
    private static final long FEW_SAMPLES = 20;
    private static final double FEW_SECONDS = 10;
    private static final double LONGEST_SECONDS = 60;
    /** A window spans several service times, so that what it measured was admitted under its limit. */
    private static final double LATENCIES_A_WINDOW = 2;

    private static final double BORROWS_FROM = 1.2;
    private static final double TOLERATED_ABOVE = 0.03;
    private static final double BOUND_SHARE = 0.01;
    private static final double SAMPLES_AN_INTERVAL = 1000;
    private static final double LEAST_SAMPLED = 1.0 / 64;

    /**
     * What all read.
     *
     * @param doors for the fast path
     * @param limit where the limit stands
     * @param pressure 0 to 1
     * @param stage what to give up
     * @param drainMillis how long until who was at the door has been served
     * @param servedPerSecond how fast that goes
     * @param heldUp how often somebody had been held up by then
     * @param gatesOpen whether no cohort is refused
     */
    record View(
            Doors doors,
            int limit,
            double pressure,
            Stage stage,
            double drainMillis,
            double servedPerSecond,
            long heldUp,
            boolean gatesOpen) {}

    private final ShedConfig config;
    private final LimitRule rule;
    private final Drain drain;
    private final Occupancy occupancy;
    private final Tally tally;
    private final Latencies latencies;
    private final long startNanos;
    private final long seed;
    private final Pressure pressure = new Pressure();
    private final List<CohortGate> gates = new ArrayList<>();
    private final long[] admitted = new long[Priority.COUNT];
    private final long[] refused = new long[Priority.COUNT];
    private long heldUp;
    private long turnedNanos;
    private long completed;
    private Since window;
    private int windowPeak;
    private int applied;
    private double sampledShare = 1;
    private final Throughput throughput = new Throughput();
    private volatile View view;

    /** Sums at the begin of the limit's window. */
    private record Since(long nanos, long completed, long dropped, long full, long admitted) {}

    Regulator(ShedConfig config, Occupancy occupancy, Tally tally, Latencies latencies, long startNanos, long seed) {
        this.config = config;
        this.rule = LimitRule.of(config.mode());
        this.drain = config.drain();
        this.occupancy = occupancy;
        this.tally = tally;
        this.latencies = latencies;
        this.startNanos = startNanos;
        this.seed = seed;
        for (int i = 0; i < Priority.COUNT; i++) {
            gates.add(new CohortGate());
        }
        this.turnedNanos = startNanos;
        this.window = new Since(startNanos, 0, 0, 0, 0);
        this.applied = rule.limit();
        this.view = decide(startNanos, (double) config.retryAfterLeast().toMillis());
    }

    View view() {
        return view;
    }

    LimitRule rule() {
        return rule;
    }

    /** One thread at a time. */
    void turn(long nowNanos, int peakInFlight, int waiting, Signals signals) {
        double seconds = Math.max(1, nowNanos - turnedNanos) / NANOS_PER_SECOND;
        turnedNanos = nowNanos;
        applied = limit(nowNanos, peakInFlight, signals);
        gates();
        long held = tally.heldUp() - heldUp;
        heldUp += held;
        long ended = occupancy.completed() - completed;
        completed += ended;
        sample(ended);
        double strain = config.signalBounds().all(signals);
        pressure.window(seconds, (double) peakInFlight / applied, strain, held > 0);
        throughput.window(seconds, ended, held > 0);
        view = decide(
                nowNanos, drain.millis(occupancy.inFlight(), waiting, held / seconds, throughput.servedPerSecond()));
    }

    private View decide(long nowNanos, double drainMillis) {
        long salt =
                Mix.mix(seed + (nowNanos - startNanos) / config.cohortPeriod().toNanos());
        boolean open = true;
        for (CohortGate gate : gates) {
            open &= gate.open() == 1;
        }
        var doors = new Doors(door(Priority.CRITICAL), door(Priority.NORMAL), door(Priority.LOW), salt, (long)
                (sampledShare * Doors.SAMPLE_ALL));
        return new View(
                doors,
                rule.limit(),
                pressure.value(),
                pressure.stage(),
                drainMillis,
                throughput.servedPerSecond(),
                heldUp,
                open);
    }

    private Door door(Priority priority) {
        return config.shares()
                .door(priority, applied, gates.get(priority.index()).open());
    }

    private void sample(long ended) {
        sampledShare = Math.clamp(SAMPLES_AN_INTERVAL / Math.max(1, ended), LEAST_SAMPLED, 1);
    }

    /** From the bottom up, since a priority is not gated for itself while one below it has more than its share. */
    private void gates() {
        long[] in = new long[Priority.COUNT];
        long[] out = new long[Priority.COUNT];
        long all = 0;
        double refusedAbove = 0;
        for (int i = 0; i < Priority.COUNT; i++) {
            in[i] = occupancy.admitted(Priority.at(i)) - admitted[i];
            out[i] = tally.refusedByLimit(Priority.at(i)) - refused[i];
            admitted[i] += in[i];
            refused[i] += out[i];
            all += in[i];
            refusedAbove += tooMany(in[i], out[i]);
        }
        boolean borrowedBelow = false;
        for (int i = Priority.COUNT - 1; i >= 0; i--) {
            refusedAbove -= tooMany(in[i], out[i]);
            boolean borrows = in[i] > BORROWS_FROM * config.shares().own(Priority.at(i)) * all;
            gates.get(i).window(in[i], borrowedBelow ? 0 : out[i], borrows ? refusedAbove : 0, applied);
            borrowedBelow |= borrows;
        }
    }

    private static double tooMany(long admitted, long refused) {
        return Math.max(0, refused - TOLERATED_ABOVE * (admitted + refused));
    }

    private int limit(long nowNanos, int peakInFlight, Signals signals) {
        latencies.drain();
        windowPeak = Math.max(windowPeak, peakInFlight);
        double seconds = (nowNanos - window.nanos()) / NANOS_PER_SECOND;
        double high = latencies.percentile(HIGH);
        if (!complete(seconds, high)) {
            return applied;
        }
        Since end = sums(nowNanos);
        long full = end.full() - window.full();
        var measured = new Window(
                (nowNanos - startNanos) / NANOS_PER_SECOND,
                seconds,
                end.completed() - window.completed(),
                end.dropped() - window.dropped(),
                latencies.count(),
                latencies.percentile(TYPICAL),
                high,
                windowPeak,
                full > BOUND_SHARE * (end.admitted() - window.admitted()));
        window = end;
        windowPeak = 0;
        latencies.reset();
        SignalBounds bounds = config.signalBounds();
        return rule.update(measured, bounds.downstream(signals), bounds.all(signals));
    }

    private boolean complete(double seconds, double highNanos) {
        long samples = latencies.count();
        boolean enough = samples >= ENOUGH_SAMPLES && seconds >= LATENCIES_A_WINDOW * highNanos / NANOS_PER_SECOND;
        return enough || (samples >= FEW_SAMPLES && seconds >= FEW_SECONDS) || seconds >= LONGEST_SECONDS;
    }

    private Since sums(long nowNanos) {
        long dropped = tally.dropped();
        long counted = occupancy.completed() - tally.ignored() - dropped;
        long in = 0;
        for (int i = 0; i < Priority.COUNT; i++) {
            in += occupancy.admitted(Priority.at(i));
        }
        return new Since(nowNanos, counted, dropped, tally.full(), in);
    }
}
