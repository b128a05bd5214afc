package dev.weir.lab.compare;

import java.util.List;

/** Says from the rates of short runs whether a service has reached its steady speed. */
final class WarmUpRule {
    private static final int ALIKE = 3;
    private static final double WITHIN = 0.05;

    /** Whether the last three rates lie within 5 % of their largest. */
    static boolean settled(List<Double> rates) {
        if (rates.size() < ALIKE) {
            return false;
        }
        var last = rates.subList(rates.size() - ALIKE, rates.size()).stream()
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        return last.getMin() > 0 && last.getMax() - last.getMin() <= WITHIN * last.getMax();
    }

    private WarmUpRule() {}
}
