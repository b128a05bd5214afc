package dev.weir.store.gateway;

import java.time.Duration;

/** What an instance has read and sent, and so what is to be reckoned with. Not safe for several threads. */
final class Throughput {

    private static final double NEW_SHARE = 0.01;
    /** The outbox, its relay and Kafka, before a message was seen to take it. */
    private static final double ASSUMED_WAY_MILLIS = 100;

    private static final long LONGEST_WAY_MILLIS = 5_000;

    private final SendRate rate = new SendRate();
    private final Demand demand = new Demand();
    private final Mean wayMillis = new Mean(ASSUMED_WAY_MILLIS, NEW_SHARE);
    private double effectivePerSecond;
    private double demandPerSecond;
    private long endedInSecond;
    private long sent;
    private long failed;

    /** @param perSecond what may be sent, above 0 */
    Throughput(double perSecond) {
        this.effectivePerSecond = perSecond;
    }

    /** A message was read this long after it had been accepted. */
    void read(long millis) {
        wayMillis.add((double) Math.clamp(millis, 0, LONGEST_WAY_MILLIS));
    }

    /** A message has ended. */
    void ended(MessageStatus status) {
        endedInSecond++;
        if (status == MessageStatus.SENT) {
            sent++;
        } else {
            failed++;
        }
    }

    /** One second has passed; see {@link SendRate} and {@link Demand}. */
    void second(boolean backlogged, double permittedPerSecond) {
        effectivePerSecond = rate.second(endedInSecond, backlogged, permittedPerSecond);
        demandPerSecond = demand.second(endedInSecond, backlogged);
        endedInSecond = 0;
    }

    /** What others have measured, until something is measured here. */
    void assumeWay(Duration way) {
        wayMillis.assume((double) way.toMillis());
    }

    /**
     * What estimates are to reckon with.
     *
     * @param send how long the provider takes for one message
     * @param hasSent whether that is measured
     */
    Outlook outlook(Duration send, boolean hasSent) {
        return new Outlook(
                effectivePerSecond,
                Duration.ofMillis((long) wayMillis.value()),
                send,
                wayMillis.isMeasured() && hasSent);
    }

    /** Messages a second that could be sent if it were allowed; infinite where there is a backlog. */
    double demandPerSecond() {
        return demandPerSecond;
    }

    long sent() {
        return sent;
    }

    long failed() {
        return failed;
    }
}
