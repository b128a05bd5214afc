package dev.weir.store.gateway;

/**
 * The mean of what was measured lately, and until something was, of what is assumed: the first measurement takes the assumption's place, the
 * next ones count alike, and then each has a fixed share (an exponential mean without the bias of its beginning). Not safe for several
 * threads.
 */
final class Mean {

    private final double newShare;
    private double value;
    private long measured;

    /** @param newShare what each measurement counts once there are many, above 0 to 1 */
    Mean(double assumed, double newShare) {
        this.value = assumed;
        this.newShare = newShare;
    }

    void add(double measurement) {
        measured++;
        value += Math.max(newShare, 1.0 / measured) * (measurement - value);
    }

    /** Another assumption; changes nothing once something was measured. */
    void assume(double assumed) {
        if (measured == 0) {
            value = assumed;
        }
    }

    /** Whether it is more than an assumption. */
    boolean isMeasured() {
        return measured > 0;
    }

    double value() {
        return value;
    }
}
