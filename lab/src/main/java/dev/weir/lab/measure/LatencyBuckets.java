package dev.weir.lab.measure;

/**
 * Latencies of one second in 5 KB: 32 buckets to each power of two, so that a bucket's middle is within 1.6 % of every
 * value in it (the layout of HdrHistogram, http://hdrhistogram.org, with fewer digits). One thread writes; others may
 * read meanwhile and see some of the latest values or not.
 */
public final class LatencyBuckets {
    private static final int SUB_BITS = 5;
    private static final long HIGHEST_NANOS = (1L << 42) - 1;
    private static final int SIZE = index(HIGHEST_NANOS) + 1;

    private final int[] counts = new int[SIZE];

    /** Counts a latency; those below 0 count as 0, those above 73 minutes as 73 minutes. */
    public void record(long nanos) {
        counts[index(Math.clamp(nanos, 0, HIGHEST_NANOS))]++;
    }

    /** Adds another one's counts. */
    public void add(LatencyBuckets other) {
        for (int i = 0; i < SIZE; i++) {
            counts[i] += other.counts[i];
        }
    }

    /**
     * The latency that a share of the values does not exceed.
     *
     * @param quantile 0 to 1
     * @return the middle of the bucket in nanoseconds; 0 where nothing was counted
     */
    public long quantileNanos(double quantile) {
        long total = 0;
        for (int count : counts) {
            total += count;
        }
        long wanted = Math.max(1, (long) Math.ceil(quantile * total));
        long passed = 0;
        for (int i = 0; i < SIZE && total > 0; i++) {
            passed += counts[i];
            if (passed >= wanted) {
                return middle(i);
            }
        }
        return 0;
    }

    private static int index(long nanos) {
        int shift = Math.max(0, 63 - Long.numberOfLeadingZeros(nanos | 1) - SUB_BITS);
        return (shift << SUB_BITS) + (int) (nanos >>> shift);
    }

    private static long middle(int index) {
        int shift = Math.max(0, (index >> SUB_BITS) - 1);
        long lowest = (long) (index - (shift << SUB_BITS)) << shift;
        return lowest + (1L << shift) / 2;
    }
}
