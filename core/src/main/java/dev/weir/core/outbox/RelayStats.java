package dev.weir.core.outbox;

/**
 * What a relay has counted since it was started.
 *
 * @param batches batches delivered or tried
 * @param delivered events that arrived
 * @param retried failures after which an event is tried again
 * @param parked events set aside
 * @param postponed events that were not tried or whose end nobody knows, and are read again
 * @param aborted batches given up because this instance could no longer be sure to own them
 * @param failures rounds that ended with an error of the database
 * @param lanes parts of the keys it owns now, of 64
 */
public record RelayStats(
        long batches,
        long delivered,
        long retried,
        long parked,
        long postponed,
        long aborted,
        long failures,
        int lanes) {}
