package dev.weir.core.shed;

/**
 * The 90th percentile of the latency while nothing queues. It falls with each faster window, but by a part only, so that no
 * lucky window becomes the measure; it rises slowly and only in windows in which the limit held nobody up, or on evidence
 * from outside ({@link #adopt}); it never exceeds its ceiling, so a long incident does not become the norm.
 */
final class HealthyLatency {

    private static final double FALL_SHARE = 0.3;
    private static final double RISE_SECONDS = 300;
    private static final double ADOPT_SHARE = 0.3;

    private final double ceilingNanos;
    private double nanos;

    HealthyLatency(double ceilingNanos) {
        this.ceilingNanos = ceilingNanos;
    }

    double nanos() {
        return nanos;
    }

    void observe(Window window) {
        double seen = window.highLatencyNanos();
        if (nanos == 0) {
            set(seen);
        } else if (seen < nanos) {
            set(nanos + FALL_SHARE * (seen - nanos));
        } else if (!window.bound()) {
            set(nanos + (1 - Math.exp(-window.seconds() / RISE_SECONDS)) * (seen - nanos));
        }
    }

    /** The window's latency is the service's own: it was reached where more concurrency still brought more throughput. */
    void adopt(Window window) {
        if (window.highLatencyNanos() > nanos) {
            set(nanos + ADOPT_SHARE * (window.highLatencyNanos() - nanos));
        }
    }

    /** Takes the window's latency for the service's own at once; false where it is above the ceiling, and nothing changes. */
    boolean replace(Window window) {
        if (window.highLatencyNanos() > ceilingNanos) {
            return false;
        }
        nanos = window.highLatencyNanos();
        return true;
    }

    private void set(double value) {
        nanos = Math.min(value, ceilingNanos);
    }
}
