package dev.weir.lab.measure;

/**
 * One second of a run. Offered and the latencies are counted in the second the request was intended for, completed and
 * failed in the second they happened, so that throughput past saturation stays readable. Seconds after the end of the
 * schedule are the drain: nothing is offered in them.
 *
 * @param second seconds since the run's start, from 0
 * @param offered requests scheduled in this second
 * @param sent requests written in this second
 * @param completed complete responses that arrived in this second, whatever their status
 * @param failed failures that happened in this second, of every kind
 * @param meanInFlight time-weighted mean of requests sent and not yet answered
 * @param p50Nanos median latency from the intended time, within 2 %; 0 where nothing was recorded
 * @param p99Nanos 99th percentile of latency from the intended time, within 2 %; 0 where nothing was recorded
 */
public record SecondSample(
        int second,
        long offered,
        long sent,
        long completed,
        long failed,
        double meanInFlight,
        long p50Nanos,
        long p99Nanos) {}
