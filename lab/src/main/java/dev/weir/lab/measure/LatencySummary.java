package dev.weir.lab.measure;

import java.util.List;
import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;

/**
 * The figures of a latency histogram that go into text and JSON, in milliseconds.
 *
 * @param count requests in it
 * @param spectrum points of the percentile plot, ascending, denser towards the tail
 */
public record LatencySummary(
        long count,
        double meanMillis,
        double minMillis,
        double p50Millis,
        double p75Millis,
        double p90Millis,
        double p95Millis,
        double p99Millis,
        double p999Millis,
        double p9999Millis,
        double maxMillis,
        List<Point> spectrum) {

    /** One point of the percentile plot: {@code percentile} of 0 to 100. */
    public record Point(double percentile, double millis) {}

    public LatencySummary {
        spectrum = List.copyOf(spectrum);
    }

    /** Summarises a histogram of nanoseconds; all figures are 0 where it is empty. */
    public static LatencySummary of(Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            return new LatencySummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
        }
        return new LatencySummary(
                nanos.getTotalCount(),
                nanos.getMean() / 1e6,
                nanos.getMinValue() / 1e6,
                at(nanos, 50),
                at(nanos, 75),
                at(nanos, 90),
                at(nanos, 95),
                at(nanos, 99),
                at(nanos, 99.9),
                at(nanos, 99.99),
                nanos.getMaxValue() / 1e6,
                spectrumOf(nanos));
    }

    private static List<Point> spectrumOf(Histogram nanos) {
        return StreamSupport.stream(nanos.percentiles(5).spliterator(), false)
                .map(value -> new Point(value.getPercentileLevelIteratedTo(), value.getValueIteratedTo() / 1e6))
                .toList();
    }

    private static double at(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e6;
    }
}
