package dev.weir.core.cache;

/**
 * How long the values in this process may be believed.
 *
 * <p>A node sends a numbered beat over the same channel as the invalidations and hears it back on its own subscription.
 * Messages of one connection arrive in order, so the beat sent at time s proves that every invalidation published before
 * s has been handled. Hence the rule: believe until {@code s + bound}, s being the send time of the latest beat that came
 * back. Only this node's clock takes part, and a frozen process, a half-open connection or a full buffer ends the trust
 * without any event being noticed. (The argument is that of Gray and Cheriton's leases,
 * https://doi.org/10.1145/74850.74870.)
 *
 * <p>After a new subscription trust begins only when a beat has come back that was sent a settling time later; until then
 * the sequence numbers of the other publishers are learned. The same where trust had run out on a subscription that
 * lived: while Redis was frozen, or cut off from all, other nodes may have committed what they could not tell, and what
 * this node loaded meanwhile may be older. The settling time lets them tell it before anybody believes.
 *
 * <p>Connections can die without a sign. When as many beats as fill four bounds were sent and none came back, they are
 * taken for dead. Beats are counted, not time, so that a process that was frozen does not blame its connections.
 *
 * <p>{@link #trustedUntilNanos} may be read by any thread; all else is guarded by this object's lock.
 */
final class Trust {
    private static final int REMEMBERED = 64;
    private static final int MOST_BEATS_IN_VAIN = 4 * CachesConfig.BEATS_PER_BOUND;

    private enum State {
        AWAY,
        SETTLING,
        TRUSTED
    }

    private final long boundNanos;
    private final long settleNanos;
    private final long[] beats = new long[REMEMBERED];
    private final long[] sentAtNanos = new long[REMEMBERED];
    private State state = State.AWAY;
    private long settlingSinceNanos;
    private int beatsInVain;
    private volatile long trustedUntilNanos;

    Trust(long boundNanos, long settleNanos, long nowNanos) {
        this.boundNanos = boundNanos;
        this.settleNanos = settleNanos;
        this.trustedUntilNanos = nowNanos;
    }

    /** For a node that is alone: never ends. */
    static Trust alone(long nowNanos) {
        Trust trust = new Trust(0, 0, nowNanos);
        trust.trustedUntilNanos = nowNanos + Long.MAX_VALUE / 2;
        return trust;
    }

    long trustedUntilNanos() {
        return trustedUntilNanos;
    }

    boolean trusted(long nowNanos) {
        return nowNanos - trustedUntilNanos < 0;
    }

    synchronized void subscribed(long nowNanos) {
        state = State.SETTLING;
        settlingSinceNanos = nowNanos;
        beatsInVain = 0;
        trustedUntilNanos = nowNanos;
    }

    synchronized void away(long nowNanos) {
        state = State.AWAY;
        trustedUntilNanos = nowNanos;
    }

    synchronized void sent(long beat, long nowNanos) {
        int slot = slot(beat);
        beats[slot] = beat;
        sentAtNanos[slot] = nowNanos;
        beatsInVain++;
    }

    /** Whether to give the connections up. Begins to count anew then, so that the next ones get as much time. */
    synchronized boolean takesConnectionsForDead() {
        if (beatsInVain < MOST_BEATS_IN_VAIN) {
            return false;
        }
        beatsInVain = 0;
        return true;
    }

    /** Whether this beat ends the settling; the caller then drops everything before it calls {@link #extend}. */
    synchronized boolean settledBy(long beat) {
        int slot = slot(beat);
        return state == State.SETTLING
                && beats[slot] == beat
                && sentAtNanos[slot] - settlingSinceNanos - settleNanos >= 0;
    }

    /** The beat came back. */
    synchronized void extend(long beat, long nowNanos) {
        int slot = slot(beat);
        if (beats[slot] != beat) {
            return;
        }
        beatsInVain = 0;
        if (settledBy(beat)) {
            state = State.TRUSTED;
        } else if (state == State.TRUSTED && !trusted(nowNanos)) {
            state = State.SETTLING;
            settlingSinceNanos = nowNanos;
        }
        if (state == State.TRUSTED) {
            trustedUntilNanos = sentAtNanos[slot] + boundNanos;
        }
    }

    private static int slot(long beat) {
        return (int) (beat % REMEMBERED);
    }
}
