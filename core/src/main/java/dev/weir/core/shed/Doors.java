package dev.weir.core.shed;

/** All that the fast path reads; immutable, replaced as a whole. */
final class Doors {

    /** Every request is sampled. */
    static final long SAMPLE_ALL = 1L << 32;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final Door critical;
    private final Door normal;
    private final Door low;
    private final long salt;
    private final long sampleBelow;

    Doors(Door critical, Door normal, Door low, long salt, long sampleBelow) {
        this.critical = critical;
        this.normal = normal;
        this.low = low;
        this.salt = salt;
        this.sampleBelow = sampleBelow;
    }

    Door of(Priority priority) {
        return switch (priority) {
            case CRITICAL -> critical;
            case NORMAL -> normal;
            case LOW -> low;
        };
    }

    long salt() {
        return salt;
    }

    /**
     * Whether the n-th request of a priority is measured. The multiples of the golden ratio are spread evenly (Weyl), so
     * the share is exact and no pattern of the callers can hide from it, as it could from every 64th.
     */
    boolean samples(long number) {
        return (number * GOLDEN) >>> 32 < sampleBelow;
    }
}
