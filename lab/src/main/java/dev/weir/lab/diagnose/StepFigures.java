package dev.weir.lab.diagnose;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.GeneratorCost;
import dev.weir.lab.measure.Measurement;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the rules need of one step: the client's figures and the service's.
 *
 * @param duration from the first scheduled request to the end of the schedule
 * @param completedPerSecond of the schedule
 * @param completed all answers, those after the schedule included
 * @param meanFromSentMillis mean latency from the send, what the service and the network took; 0 where nothing completed
 * @param failures failed requests by kind
 * @param failureReasons one reason for each of these kinds
 * @param service null where the process was not watched
 */
public record StepFigures(
        Duration duration,
        double offeredPerSecond,
        double completedPerSecond,
        long completed,
        double meanInFlight,
        double meanFromSentMillis,
        double p99FromIntendedMillis,
        Map<FailureKind, Long> failures,
        Map<FailureKind, String> failureReasons,
        GeneratorCost generator,
        @Nullable ServiceSample service) {

    public StepFigures {
        failures = Map.copyOf(failures);
        failureReasons = Map.copyOf(failureReasons);
    }

    /** The figures of a step from its measurement. */
    public static StepFigures of(Measurement measurement, @Nullable ServiceSample service) {
        double seconds = measurement.duration().toNanos() / 1e9;
        return new StepFigures(
                measurement.duration(),
                measurement.offered() / seconds,
                measurement.completedPerSecond(),
                measurement.completed(),
                measurement.meanInFlight(),
                measurement.completed() == 0 ? 0 : measurement.fromSent().getMean() / 1e6,
                measurement.fromIntended().getValueAtPercentile(99) / 1e6,
                measurement.failures(),
                measurement.failureReasons(),
                measurement.generator(),
                service);
    }

    /** Answers per second of the time the service was watched, which lasts until it has drained; of the schedule otherwise. */
    double servedPerSecond() {
        return service == null
                ? completedPerSecond
                : completed / Math.max(1e-9, service.window().toNanos() / 1e9);
    }

    /** Requests the schedule asked for. */
    double offered() {
        return offeredPerSecond * duration.toNanos() / 1e9;
    }

    /** CPU the generator used, in cores. */
    double generatorCores() {
        return generator.cpuNanos() / (double) duration.toNanos();
    }
}
