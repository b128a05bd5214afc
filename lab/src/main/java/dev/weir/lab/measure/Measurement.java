package dev.weir.lab.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What one bounded run of load measured. Nothing scheduled is dropped silently:
 * {@code offered = succeeded + sum of failures}, where {@code succeeded = completed - failures[STATUS]}.
 *
 * <p>The histograms hold nanoseconds. {@code fromIntended} holds every complete response of any status and, so that a
 * dying service does not look fast, every request that timed out or stayed unfinished, at the age it had reached when it
 * was given up: a lower bound of its true latency. {@code fromSent} holds the same of the requests that were sent.
 * Requests that failed in any other way are in neither, since a quick refusal would flatter both. The histograms are
 * owned by this record and must not be changed.
 *
 * @param duration from the first scheduled request to the end of the schedule; draining is not included
 * @param ratePerSecond the rate asked for; 0 for a closed loop
 * @param offered requests the schedule asked for; for a closed loop those sent, and one for each connection that could
 *     not be made
 * @param sent requests whose first byte was written
 * @param completed complete responses, whatever their status
 * @param completedInSchedule those of {@code completed} that arrived before the end of the schedule; the others arrived
 *     while draining
 * @param late requests sent more than 1 ms after their intended time, for whatever reason
 * @param failures failed requests by kind; kinds without a failure are absent
 * @param examples the reason of the first failure of a kind, as a phrase for the user, such as {@code Connection
 *     refused}; only kinds that occurred, and not every one has a reason
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
        long completedInSchedule,
        long late,
        Map<FailureKind, Long> failures,
        Map<FailureKind, String> examples,
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
        examples = Map.copyOf(examples);
        statuses = Map.copyOf(statuses);
        seconds = List.copyOf(seconds);
    }

    /** Failed requests of every kind. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * One reason for each kind that failed: the status that failed most often, else the first reason seen, else the kind's
     * own word.
     */
    public Map<FailureKind, String> failureReasons() {
        return failures.keySet().stream()
                .collect(Collectors.toMap(
                        kind -> kind,
                        kind -> kind == FailureKind.STATUS
                                ? "status " + commonFailedStatus()
                                : examples.getOrDefault(kind, kind.id())));
    }

    private String commonFailedStatus() {
        return statuses.entrySet().stream()
                .filter(status -> status.getKey() < 200 || status.getKey() > 399)
                .max(Map.Entry.comparingByValue())
                .map(status -> status.getKey().toString())
                .orElse("unknown");
    }

    /** Complete responses with an acceptable status. */
    public long succeeded() {
        return completed - failures.getOrDefault(FailureKind.STATUS, 0L);
    }

    /**
     * Complete responses per second of the schedule. Those that arrive while draining do not count: after an overload
     * they would add the whole backlog of the connections to the rate the service can sustain.
     */
    public double completedPerSecond() {
        return completedInSchedule / (duration.toNanos() / 1e9);
    }

    /** Failed share of the offered requests, 0 to 1; 0 where nothing was offered. */
    public double errorShare() {
        return offered == 0 ? 0 : (double) failed() / offered;
    }

    /**
     * Little's law on this run: mean in flight / (rate at which requests left x mean latency from the send), where
     * those that timed out leave too. 1 where the run was stationary, away from it where the queue grew or drained; NaN
     * where nothing completed.
     */
    public double littleRatio() {
        long left = fromSent.getTotalCount() - (completed - completedInSchedule);
        return meanInFlight * duration.toNanos() / (left * fromSent.getMean());
    }
}
