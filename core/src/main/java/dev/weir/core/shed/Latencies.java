package dev.weir.core.shed;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Latencies of a window in buckets of at most 6 % width; percentiles interpolate inside a bucket. Any thread records; one
 * drains. What is recorded while draining belongs to this window or the next.
 */
final class Latencies {

    private static final int SUB_BITS = 4;
    private static final int SUB = 1 << SUB_BITS;
    private static final int OCTAVES = 40;
    private static final int BUCKETS = SUB * OCTAVES;

    private final AtomicIntegerArray live = new AtomicIntegerArray(BUCKETS);
    private final int[] drained = new int[BUCKETS];
    private long count;

    void record(long nanos) {
        live.getAndIncrement(bucket(Math.max(0, nanos)));
    }

    /** Moves what was recorded since the last {@link #reset} into the window. */
    void drain() {
        for (int i = 0; i < BUCKETS; i++) {
            if (live.get(i) != 0) {
                int recorded = live.getAndSet(i, 0);
                drained[i] += recorded;
                count += recorded;
            }
        }
    }

    /** Begins a new window. */
    void reset() {
        Arrays.fill(drained, 0);
        count = 0;
    }

    long count() {
        return count;
    }

    /** The latency that the given share of the window did not exceed, in nanoseconds; 0 for an empty window. */
    double percentile(double share) {
        double rank = share * count;
        long below = 0;
        for (int i = 0; i < BUCKETS; i++) {
            if (drained[i] > 0 && below + drained[i] >= rank) {
                return lower(i) + (lower(i + 1) - lower(i)) * (rank - below) / drained[i];
            }
            below += drained[i];
        }
        return 0;
    }

    private static int bucket(long nanos) {
        if (nanos < SUB) {
            return (int) nanos;
        }
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int index = ((exponent - SUB_BITS + 1) << SUB_BITS) | (int) ((nanos >>> (exponent - SUB_BITS)) & (SUB - 1));
        return Math.min(index, BUCKETS - 1);
    }

    private static double lower(int bucket) {
        if (bucket < SUB) {
            return bucket;
        }
        int exponent = (bucket >>> SUB_BITS) + SUB_BITS - 1;
        return Math.scalb((double) (SUB + (bucket & (SUB - 1))), exponent - SUB_BITS);
    }
}
