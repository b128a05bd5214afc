package dev.weir.lab.check;

import dev.weir.lab.knee.StepObservation;
import dev.weir.lab.knee.StepSecond;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import java.time.Duration;
import java.util.List;

/** Turns what the generator measured into what the search wants to know. */
final class Observations {
    /** Requests that left later than this, with connections free, were held up by the generator. */
    private static final double LATE_MILLIS = 10;

    private static final double LATE_SHARE_OF_MEDIAN = 0.2;
    private static final double BUSY_THREAD = 0.95;
    /** Above this share of the connections in use, requests waited for one. */
    private static final double CONNECTIONS_IN_USE = 0.9;

    static StepObservation of(Measurement run, int connections, Duration took) {
        long unfinished = count(run, FailureKind.UNFINISHED);
        long slow = count(run, FailureKind.TIMEOUT) + unfinished;
        return new StepObservation(
                run.ratePerSecond(),
                seconds(run),
                run.offered(),
                slow,
                run.failed() - slow,
                percentile -> run.fromIntended().getValueAtPercentile(percentile) / 1e6,
                run.meanInFlight(),
                run.littleRatio(),
                generatorLimited(run, connections),
                unfinished == 0,
                took);
    }

    /** The whole seconds of the schedule. */
    private static List<StepSecond> seconds(Measurement run) {
        long whole = Math.max(1, run.duration().plusMillis(50).toSeconds());
        long ended = run.failed() - count(run, FailureKind.UNFINISHED);
        // A failure of the status is among the completed as well; the others are not.
        double unanswered = ended == 0 ? 0 : 1 - (double) count(run, FailureKind.STATUS) / ended;
        return run.seconds().stream()
                .limit(whole)
                .map(second -> new StepSecond(
                        second.offered(),
                        second.completed() + unanswered * second.failed(),
                        second.completed() - (1 - unanswered) * second.failed()))
                .toList();
    }

    /** A second of a step under way, of which the kinds of failure are not known yet. */
    static StepSecond live(SecondSample second) {
        boolean statuses = second.failed() <= second.completed();
        return new StepSecond(
                second.offered(),
                statuses ? second.completed() : second.completed() + second.failed(),
                Math.max(0, second.completed() - (statuses ? second.failed() : 0)));
    }

    /** Whether requests left late for reasons of the generator's own. */
    static boolean generatorLimited(Measurement run, int connections) {
        double lagMillis = run.scheduleLag().getValueAtPercentile(99) / 1e6;
        double medianMillis = run.fromSent().getValueAtPercentile(50) / 1e6;
        boolean late = lagMillis > Math.max(LATE_MILLIS, LATE_SHARE_OF_MEDIAN * medianMillis);
        boolean free = !waitedForConnections(run, connections);
        return free && (late || run.generator().busiestThreadShare() > BUSY_THREAD);
    }

    /** Whether nearly all connections were in use at some time, so that requests waited for one. */
    static boolean waitedForConnections(Measurement run, int connections) {
        return run.seconds().stream().anyMatch(second -> second.meanInFlight() >= CONNECTIONS_IN_USE * connections);
    }

    private static long count(Measurement run, FailureKind kind) {
        return run.failures().getOrDefault(kind, 0L);
    }

    private Observations() {}
}
