package dev.weir.lab.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one bounded run of load measured. Nothing scheduled is dropped silently:
 * {@code offered = succeeded + sum of failures}, where {@code succeeded = completed - failures[STATUS]}.
 *
 * <p>The histograms hold nanoseconds of completed requests (complete responses of any status). They are owned by this
 * record and must not be changed.
 *
 * @param duration from the first scheduled request to the end of the schedule; draining is not included
 * @param ratePerSecond the rate asked for; 0 for a closed loop
 * @param offered requests the schedule asked for; for a closed loop the same as sent
 * @param sent requests whose first byte was written
 * @param completed complete responses, whatever their status
 * @param late requests sent more than 1 ms after their intended time, for whatever reason
 * @param failures failed requests by kind; kinds without a failure are absent
 * @param statuses complete responses by HTTP status code
 * @param bytesReceived bytes read from the service, headers included
 * @param connectionsOpened connections made during the run, replacements included
 * @param meanInFlight time-weighted mean of requests sent and not yet answered, over the schedule's duration
 * @param fromIntended latency from the time the schedule intended the request, the one a user feels
 * @param fromSent latency from the time the request was written
 * @param scheduleLag sent minus intended
 * @param seconds the run second by second
 * @param generator what the generator itself spent
 */
public record Measurement(
        Duration duration,
        double ratePerSecond,
        long offered,
        long sent,
        long completed,
        long late,
        Map<FailureKind, Long> failures,
        Map<Integer, Long> statuses,
        long bytesReceived,
        long connectionsOpened,
        double meanInFlight,
        Histogram fromIntended,
        Histogram fromSent,
        Histogram scheduleLag,
        List<SecondSample> seconds,
        GeneratorCost generator) {

    public Measurement {
        failures = Map.copyOf(failures);
        statuses = Map.copyOf(statuses);
        seconds = List.copyOf(seconds);
    }

    /** Failed requests of every kind. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Complete responses with an acceptable status. */
    public long succeeded() {
        return completed - failures.getOrDefault(FailureKind.STATUS, 0L);
    }

    /** Completed requests per second of the schedule. */
    public double completedPerSecond() {
        return completed / (duration.toNanos() / 1e9);
    }

    /** Failed share of the offered requests, 0 to 1; 0 where nothing was offered. */
    public double errorShare() {
        return offered == 0 ? 0 : (double) failed() / offered;
    }

    /**
     * Little's law on this run: mean in flight / (completed rate x mean latency from the send). 1 where the run was
     * stationary, away from it where the queue grew or drained; NaN where nothing completed.
     */
    public double littleRatio() {
        return meanInFlight / (completedPerSecond() * fromSent.getMean() / 1e9);
    }
}
