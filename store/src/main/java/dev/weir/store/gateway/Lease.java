package dev.weir.store.gateway;

import java.time.Duration;

/**
 * For how long this instance may send what it has read. Kafka gives the partitions of an instance that does not answer to others, and one
 * that was frozen, or cut off from Kafka, does not know: what it sent then would come behind what the others have sent. So it sends only
 * while nobody else can have its partitions: for a part of Kafka's session timeout after Kafka has taken a commit of its, which it takes
 * from members only, or while the database knows no other instance.
 *
 * <p>Times count from before the question, since an answer that has waited in a frozen process proves nothing. An instance that finds others
 * does not send in its first {@link #ALONE}: one of them may still think itself alone. Any thread may use it.
 */
final class Lease {

    /** For how long it is believed that there is no other instance; far below the time for which the database shows a dead one. */
    static final Duration ALONE = Duration.ofSeconds(2);

    private static final double SAFE_SHARE = 0.75;

    private final long confirmedNanos;
    private boolean entered;
    private long fromNanos;
    private long confirmedUntilNanos;
    private long aloneUntilNanos;

    /**
     * Not held, until {@link #enter} and one of the proofs.
     *
     * @param session after which Kafka gives the partitions of a silent instance to others
     */
    Lease(Duration session, long nowNanos) {
        this.confirmedNanos = (long) (session.toNanos() * SAFE_SHARE);
        this.confirmedUntilNanos = nowNanos;
        this.aloneUntilNanos = nowNanos;
    }

    /** From now on the database shows this instance to the others, if there are any; a second time changes nothing. */
    synchronized void enter(boolean others, long nowNanos) {
        if (!entered) {
            entered = true;
            fromNanos = others ? nowNanos + ALONE.toNanos() : nowNanos;
        }
    }

    /** Kafka has taken a commit that was sent at this time. */
    synchronized void confirmed(long askedNanos) {
        confirmedUntilNanos = later(confirmedUntilNanos, askedNanos + confirmedNanos);
    }

    /** The database, asked at this time, knew no other instance. */
    synchronized void alone(long askedNanos) {
        aloneUntilNanos = later(aloneUntilNanos, askedNanos + ALONE.toNanos());
    }

    /** Whether a message may be sent at this moment. */
    synchronized boolean isHeld(long nowNanos) {
        return entered
                && nowNanos - fromNanos >= 0
                && (nowNanos - confirmedUntilNanos < 0 || nowNanos - aloneUntilNanos < 0);
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
