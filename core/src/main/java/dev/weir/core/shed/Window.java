package dev.weir.core.shed;

/**
 * What happened between two decisions about the limit.
 *
 * @param sinceStartSeconds since admission began
 * @param seconds its length
 * @param completed requests that ended and count
 * @param dropped requests that ended by overload further down
 * @param samples latencies measured
 * @param typicalLatencyNanos their median
 * @param highLatencyNanos their 90th percentile
 * @param peakInFlight most requests in flight
 * @param bound whether the limit held requests up
 */
record Window(
        double sinceStartSeconds,
        double seconds,
        long completed,
        long dropped,
        long samples,
        double typicalLatencyNanos,
        double highLatencyNanos,
        int peakInFlight,
        boolean bound) {

    double perSecond() {
        return completed / seconds;
    }
}
