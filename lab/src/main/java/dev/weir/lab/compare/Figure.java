package dev.weir.lab.compare;

import java.util.Locale;

/** What is compared. */
public enum Figure {
    /** Successful answers per second in a closed loop on all connections. */
    CAPACITY("capacity", "/s", true, false),
    /** Median latency from the intended time, at the fixed rate. */
    LATENCY_P50("latency p50", " ms", false, true),
    /** 99th percentile of latency from the intended time, at the fixed rate. */
    LATENCY_P99("latency p99", " ms", false, true),
    /** CPU time of the service's process tree per completed request, at the fixed rate. */
    CPU_PER_REQUEST("CPU per request", " µs", false, false);

    private final String label;
    private final String unit;
    private final boolean higherIsBetter;
    private final boolean geometric;

    Figure(String label, String unit, boolean higherIsBetter, boolean geometric) {
        this.label = label;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
        this.geometric = geometric;
    }

    /** The word used in JSON, for example {@code cpu-per-request}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The words used in text. */
    public String label() {
        return label;
    }

    /** What follows a value in text, with its space where one belongs. */
    public String unit() {
        return unit;
    }

    /** Whether more of it is what one wants. */
    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    /**
     * How a run's seconds become its figure. A percentile is averaged geometrically: percentiles of single seconds have
     * a long tail, and the arithmetic mean of twenty of them is mostly the worst one.
     */
    boolean geometric() {
        return geometric;
    }
}
