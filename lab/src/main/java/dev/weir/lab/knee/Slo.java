package dev.weir.lab.knee;

import java.util.List;

/**
 * What a step must hold to count as sustained.
 *
 * @param latency bounds on percentiles of latency from the intended time
 * @param maxErrorShare highest share of offered requests that may fail, 0 to 1
 */
public record Slo(List<LatencyBound> latency, double maxErrorShare) {

    /** {@code percentile} (0 to 100) must stay below {@code maxMillis}. */
    public record LatencyBound(double percentile, double maxMillis) {}

    public Slo {
        latency = List.copyOf(latency);
    }
}
