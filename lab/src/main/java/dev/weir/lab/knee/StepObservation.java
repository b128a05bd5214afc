package dev.weir.lab.knee;

import java.time.Duration;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * What one step of load showed.
 *
 * @param ratePerSecond the rate asked for
 * @param seconds the whole seconds of the schedule; what came while draining is not in them
 * @param offered requests the schedule asked for
 * @param slowFailures requests not answered in time
 * @param hardFailures requests refused, broken off or answered with an unacceptable status
 * @param millisAtPercentile latency from the intended time at a percentile of 0 to 100
 * @param meanInFlight mean of the requests sent and not yet answered
 * @param littleRatio in flight / (rate x latency): 1 where stationary; NaN where unknown
 * @param generatorLimited the generator did not offer what it was asked to, for reasons of its own
 * @param drained every request was answered before the step was given up
 * @param took the whole of the step, draining included
 */
public record StepObservation(
        double ratePerSecond,
        List<StepSecond> seconds,
        long offered,
        long slowFailures,
        long hardFailures,
        DoubleUnaryOperator millisAtPercentile,
        double meanInFlight,
        double littleRatio,
        boolean generatorLimited,
        boolean drained,
        Duration took) {

    public StepObservation {
        seconds = List.copyOf(seconds);
    }
}
