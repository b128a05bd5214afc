package dev.weir.lab.compare;

import java.util.Map;

/**
 * What one run gave.
 *
 * @param series the seconds of each figure that was measured
 * @param ratePerSecond the fixed rate, as given or chosen
 */
record MeasuredRun(CompareRun summary, Map<Figure, RunSeries> series, double ratePerSecond) {
    MeasuredRun {
        series = Map.copyOf(series);
    }
}
