package dev.weir.core.route;

/**
 * Where the primary stood at which time, over a bounded span: answers how old a replica's state is without comparing the
 * clocks of two machines. Not thread-safe.
 */
final class PrimaryHistory {

    /** The age of a state that is older than all that is remembered: it may be anything. */
    static final long UNKNOWN = ReplicaSet.UNKNOWN;

    private static final int SLOTS = 64;

    private final long spacingNanos;
    private final long[] lsns = new long[SLOTS];
    private final long[] nanos = new long[SLOTS];
    private int size;
    private int next;
    private long latestLsn;
    private long latestNanos;

    /**
     * @param spanNanos ages up to this one can be told, and are told up to 1/32 of it too high
     */
    PrimaryHistory(long spanNanos) {
        this.spacingNanos = Math.max(1, spanNanos / (SLOTS / 2));
    }

    long latestLsn() {
        return latestLsn;
    }

    void add(long lsn, long nowNanos) {
        if (size > 0 && lsn < latestLsn) {
            size = 0;
        }
        if (size == 0 || nowNanos - nanos[slot(size - 1)] >= spacingNanos) {
            lsns[next] = lsn;
            nanos[next] = nowNanos;
            next = (next + 1) % SLOTS;
            size = Math.min(size + 1, SLOTS);
        }
        latestLsn = lsn;
        latestNanos = nowNanos;
    }

    /** Index of the i-th oldest entry. */
    private int slot(int i) {
        return Math.floorMod(next - size + i, SLOTS);
    }

    /**
     * How old a state of the primary the position shows, at most; 0 when it is the newest one known, and
     * {@link #UNKNOWN} when it is older than all that is remembered, right after the start above all. Counted up to the last sample of the primary,
     * not up to now: while the primary is away nothing new is missed.
     */
    long ageNanos(long lsn) {
        if (size > 0 && lsn >= latestLsn) {
            return 0;
        }
        for (int i = size - 1; i >= 0; i--) {
            int slot = slot(i);
            if (lsns[slot] <= lsn) {
                return latestNanos - nanos[slot];
            }
        }
        return UNKNOWN;
    }
}
