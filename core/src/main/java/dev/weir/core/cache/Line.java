package dev.weir.core.cache;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What one cache shares with the other nodes: its stamps, its epoch, its place in the sequence, its evictions under way.
 *
 * <p>The epoch marks all values of the cache in Redis; clearing replaces it, and so does a flush of Redis, after which the
 * next beat proposes a new one. It becomes known by beats and by messages of clears. The two arrive on different connections, so a beat's answer
 * counts only if no other change was seen since the beat was sent.
 */
final class Line {
    /** Until an epoch is known Redis is not asked for values. */
    static final long UNKNOWN = 0;

    private final CacheConfig config;
    private final Stamps stamps;
    private final AtomicLongArray guardedUntilNanos;
    private final PendingEvictions pending;
    private final CacheCounters counters;
    private volatile long allGuardedUntilNanos;
    private volatile long epoch = UNKNOWN;
    private long epochChanges;
    private long lastSequence;

    Line(CacheConfig config, CacheCounters counters, long nowNanos) {
        this.config = config;
        this.counters = counters;
        this.stamps = new Stamps(config.maxEntries());
        this.pending = new PendingEvictions(config.maxPendingEvictions());
        this.guardedUntilNanos = new AtomicLongArray(stamps.stripes());
        this.allGuardedUntilNanos = nowNanos;
        for (int stripe = 0; stripe < stamps.stripes(); stripe++) {
            guardedUntilNanos.set(stripe, nowNanos);
        }
    }

    CacheConfig config() {
        return config;
    }

    String name() {
        return config.name();
    }

    boolean strict() {
        return config.strict();
    }

    Stamps stamps() {
        return stamps;
    }

    PendingEvictions pending() {
        return pending;
    }

    CacheCounters counters() {
        return counters;
    }

    void invalidate(String key, long nowNanos) {
        int stripe = stamps.stripe(key);
        guardedUntilNanos.set(stripe, nowNanos + config.guardFor().toNanos());
        stamps.invalidate(stripe);
    }

    void drop(long nowNanos) {
        allGuardedUntilNanos = nowNanos + config.guardFor().toNanos();
        stamps.invalidateAll();
        counters.drops.increment();
    }

    /** Whether the key may have been invalidated so shortly ago that a replica does not show it. */
    boolean guarded(int stripe, long nowNanos) {
        return nowNanos - allGuardedUntilNanos < 0 || nowNanos - guardedUntilNanos.get(stripe) < 0;
    }

    long epoch() {
        return epoch;
    }

    synchronized long epochChanges() {
        return epochChanges;
    }

    /** A clear of this node is about to be sent; the message or the next beat tells what the epoch is then. */
    synchronized void forgetEpoch() {
        epoch = UNKNOWN;
        epochChanges++;
    }

    /** Another node, or this one, has cleared the cache. */
    synchronized void epochIs(long newEpoch) {
        epoch = newEpoch;
        epochChanges++;
    }

    synchronized void beatAnswered(long answered, long changesWhenSent, long nowNanos) {
        if (epochChanges != changesWhenSent || answered == epoch) {
            return;
        }
        if (epoch != UNKNOWN) {
            drop(nowNanos);
        }
        epoch = answered;
        epochChanges++;
    }

    /** Guarded by the publishing lock of the node. */
    long nextSequence() {
        return ++lastSequence;
    }

    /** Guarded by the publishing lock of the node. */
    long lastSequence() {
        return lastSequence;
    }
}
