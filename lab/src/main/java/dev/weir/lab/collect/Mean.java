package dev.weir.lab.collect;

/**
 * A running mean of samples taken at even intervals while a load runs, the last one left out: it may have been taken when
 * the load was already over. Not safe for use by several threads.
 */
final class Mean {
    private double sumBeforeLast;
    private double last;
    private int samples;

    void add(double value) {
        sumBeforeLast += last;
        last = value;
        samples++;
    }

    boolean empty() {
        return samples == 0;
    }

    /** The only sample where there is but one; 0 where there is none. */
    double value() {
        return samples < 2 ? last : sumBeforeLast / (samples - 1);
    }
}
