package dev.weir.lab.compare;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run: a start, a warm-up, and the measurements.
 *
 * @param position in the schedule, from 0
 * @param startSeconds until the service was ready; 0 where it ran already
 * @param warmUpSeconds spent on it
 * @param settled whether the warm-up ended because the rate was steady, and not because its time was over
 * @param figures what this run alone shows, by figure; absent where not measured
 * @param failed requests that failed in the measurements
 * @param offered requests of the measurements
 * @param failures reasons with their counts, most frequent first
 * @param sustained completed / offered at the fixed rate, before draining; null where that was not measured
 * @param busiestThreadShare of the generator in its busiest measurement, 0 to 1
 */
public record CompareRun(
        int position,
        Side side,
        double startSeconds,
        double warmUpSeconds,
        boolean settled,
        Map<String, Double> figures,
        long failed,
        long offered,
        List<String> failures,
        @Nullable Double sustained,
        double busiestThreadShare) {

    public CompareRun {
        figures = Map.copyOf(figures);
        failures = List.copyOf(failures);
    }

    /** Failed share of the offered requests, 0 to 1. */
    double errorShare() {
        return offered == 0 ? 0 : (double) failed / offered;
    }
}
