package dev.weir.lab.collect;

/** A running mean of samples taken at even intervals. Not safe for use by several threads. */
final class Mean {
    private double sum;
    private int samples;

    void add(double value) {
        sum += value;
        samples++;
    }

    boolean empty() {
        return samples == 0;
    }

    /** 0 where there is no sample. */
    double value() {
        return samples == 0 ? 0 : sum / samples;
    }
}
