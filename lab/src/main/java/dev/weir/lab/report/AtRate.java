package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.collect.ServiceSample;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Figures of two checks at one rate, although their steps ran at different rates. Pure. */
final class AtRate {

    /** The highest rate that both checks confirmed as sustained; null where one of them confirmed none. */
    static @Nullable Double common(CheckResult before, CheckResult after) {
        double rate =
                Math.min(before.capacity().lowPerSecond(), after.capacity().lowPerSecond());
        return rate > 0 ? rate : null;
    }

    /**
     * The figure at a rate, linear between the two sustained steps around it, of several steps at one rate the last;
     * null where no sustained step with the figure lies on both sides of the rate.
     */
    static @Nullable Double value(CheckResult result, double rate, Function<Step, @Nullable Double> figure) {
        NavigableMap<Double, Double> figures = new TreeMap<>();
        for (Step step : result.steps()) {
            Double value = figure.apply(step);
            if (step.passed() && value != null) {
                figures.put(step.offeredPerSecond(), value);
            }
        }
        Map.Entry<Double, Double> below = figures.floorEntry(rate);
        Map.Entry<Double, Double> above = figures.ceilingEntry(rate);
        if (below == null || above == null) {
            return null;
        }
        double width = above.getKey() - below.getKey();
        double share = width == 0 ? 0 : (rate - below.getKey()) / width;
        return below.getValue() + share * (above.getValue() - below.getValue());
    }

    /** CPU time of the service a completed request, in microseconds; null where it was not seen. */
    static @Nullable Double cpuMicrosPerRequest(Step step) {
        ServiceSample service = step.service();
        Double cores = service == null ? null : service.cpuCores();
        return cores == null || step.completedPerSecond() <= 0 ? null : cores * 1e6 / step.completedPerSecond();
    }

    private AtRate() {}
}
