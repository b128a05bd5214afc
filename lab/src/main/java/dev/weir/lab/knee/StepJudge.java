package dev.weir.lab.knee;

import dev.weir.lab.knee.Capacity.Limit;
import dev.weir.lab.knee.Slo.LatencyBound;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Judges one step against the objectives and against its own stationarity. Pure; any thread. */
final class StepJudge {

    /** Away from 1 by more than this, in flight = rate x latency does not hold and the step was not stationary. */
    private static final double LITTLE_TOLERANCE = 0.2;
    /** Below this many in flight the law's sampling error is larger than the tolerance. */
    private static final double LITTLE_MIN_IN_FLIGHT = 5;
    /** A failing headroom below this is beyond the noise of a percentile. */
    private static final double DECISIVE_HEADROOM = 0.75;

    /** Share of a step's seconds that must be saturated for it to count as busy throughout. */
    private static final double BUSY_SHARE = 0.75;

    private final Slo slo;
    private final double baseMillis;

    StepJudge(Slo slo, double baseMillis) {
        this.slo = slo;
        this.baseMillis = baseMillis;
    }

    Judgement judge(StepObservation step) {
        double headroom = headroom(step);
        Backlog backlog = Backlog.of(step.seconds(), baseMillis);
        Throughput saturated = Throughput.saturated(step.seconds(), baseMillis);
        boolean busy = saturated != null
                && saturated.seconds() >= BUSY_SHARE * step.seconds().size();
        List<String> reasons = new ArrayList<>();
        boolean refused = refused(step, reasons);
        boolean grows = grows(backlog, reasons) || (busy && saturated != null && behind(step, saturated, reasons));
        boolean slow = slow(step, headroom, reasons);
        Throughput throughput = refused ? Throughput.accepted(step.seconds()) : saturated;
        if (reasons.isEmpty()) {
            return new Judgement(true, null, false, reasons, headroom, throughput, busy);
        }
        if (step.generatorLimited()) {
            // What the generator did not send in time says nothing of the service.
            return new Judgement(false, Limit.GENERATOR, false, reasons, headroom, null, false);
        }
        Limit limit = refused ? Limit.ERRORS : grows ? Limit.PLATEAU : Limit.SLO;
        boolean decisive = backlog.growsDecisively() || (slow && headroom < DECISIVE_HEADROOM) || refusedClearly(step);
        return new Judgement(false, limit, decisive, reasons, headroom, throughput, busy);
    }

    /** Whether a passed step was stationary, by Little's law. */
    static boolean stationary(StepObservation step) {
        return !(step.meanInFlight() >= LITTLE_MIN_IN_FLIGHT && Math.abs(step.littleRatio() - 1) > LITTLE_TOLERANCE);
    }

    private boolean refused(StepObservation step, List<String> reasons) {
        if (lowerBound(step.hardFailures(), step.offered()) <= slo.maxErrorShare()) {
            return false;
        }
        reasons.add(String.format(
                Locale.ROOT,
                "%.2f %% of the requests failed (allowed %.2f %%)",
                100.0 * step.hardFailures() / step.offered(),
                100 * slo.maxErrorShare()));
        return true;
    }

    private static boolean grows(Backlog backlog, List<String> reasons) {
        if (!backlog.grows()) {
            return false;
        }
        reasons.add(String.format(
                Locale.ROOT,
                "completions stayed %.1f %% behind arrivals: %.0f more requests were waiting after %.0f s",
                100 * backlog.deficitShare(),
                backlog.growth(),
                backlog.overSeconds()));
        return true;
    }

    /**
     * Arrivals that happened to be few can hide that the service cannot keep up: then it had more to do than it could
     * nearly all the time, and yet completed less than the rate asked for.
     */
    private static boolean behind(StepObservation step, Throughput throughput, List<String> reasons) {
        if (throughput.perSecond() + 2 * throughput.standardError() > 0.99 * step.ratePerSecond()) {
            return false;
        }
        reasons.add(String.format(
                Locale.ROOT,
                "it completed %.0f/s with requests always waiting, though %.0f/s were asked for",
                throughput.perSecond(),
                step.ratePerSecond()));
        return true;
    }

    private boolean slow(StepObservation step, double headroom, List<String> reasons) {
        for (LatencyBound bound : slo.latency()) {
            double millis = step.millisAtPercentile().applyAsDouble(bound.percentile());
            if (millis >= bound.maxMillis()) {
                reasons.add(String.format(
                        Locale.ROOT,
                        "p%s was %.1f ms (allowed below %.1f ms)",
                        percentile(bound.percentile()),
                        millis,
                        bound.maxMillis()));
            }
        }
        boolean late = lowerBound(step.slowFailures(), step.offered()) > slo.maxErrorShare();
        if (late) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "%.2f %% of the requests were not answered in time",
                    100.0 * step.slowFailures() / step.offered()));
        }
        return late || headroom <= 1;
    }

    private boolean refusedClearly(StepObservation step) {
        return lowerBound(step.hardFailures(), step.offered()) > Math.max(0.01, 2 * slo.maxErrorShare());
    }

    private double headroom(StepObservation step) {
        double least = Double.POSITIVE_INFINITY;
        for (LatencyBound bound : slo.latency()) {
            double millis = step.millisAtPercentile().applyAsDouble(bound.percentile());
            least = Math.min(least, bound.maxMillis() / Math.max(millis, 1e-6));
        }
        return least;
    }

    /** Lower end of the 95 % interval of a share: Wilson, Journal of the American Statistical Association 22, 1927. */
    static double lowerBound(long hits, long of) {
        if (of == 0 || hits == 0) {
            return 0;
        }
        double z = 1.645;
        double share = (double) hits / of;
        double middle = share + z * z / (2 * of);
        double reach = z * Math.sqrt(share * (1 - share) / of + z * z / (4.0 * of * of));
        return Math.max(0, (middle - reach) / (1 + z * z / of));
    }

    private static String percentile(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : Double.toString(percentile);
    }
}
