package dev.weir.core.shed;

/** A bijection of longs that spreads every bit: Stafford's variant 13 of the 64-bit finalizer, as in SplittableRandom. */
final class Mix {

    private Mix() {}

    static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The top 16 bits of the mixed value, 0 to 65,535. */
    static int sixteenBits(long value) {
        return (int) (mix(value) >>> 48);
    }

    /** Uniform in [0, 1). */
    static double fraction(long value) {
        return (mix(value) >>> 11) * 0x1.0p-53;
    }
}
