package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.measure.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figures of two checks beside each other, in words and units, for the page, the terminal and JSON alike. Pure. */
public final class BeforeAfter {

    /**
     * One figure of both checks.
     *
     * @param figure what it is
     * @param before its value with its unit; a dash where it was not measured
     * @param after the same of the second check
     * @param ratio after / before; a dash where there is none
     */
    public record Row(String figure, String before, String after, String ratio) {}

    /**
     * Capacity, then latency and CPU at the highest rate both sustained, linear between the two steps around it. Latency and
     * CPU are left out where one of the checks sustained no rate.
     */
    public static List<Row> rows(Comparison comparison) {
        CheckResult before = comparison.before();
        CheckResult after = comparison.after();
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(
                "Capacity",
                Wording.capacity(before.capacity()),
                Wording.capacity(after.capacity()),
                Figures.ratio(before.capacity().midPerSecond(), after.capacity().midPerSecond())));
        Double rate = AtRate.common(before, after);
        if (rate != null) {
            String at = " at " + Figures.rate(rate);
            Side sides = new Side(before, after, rate);
            rows.add(sides.row("p50" + at, "ms", step -> CheckPlots.latency(step, LatencySummary::p50Millis)));
            rows.add(sides.row("p99" + at, "ms", step -> CheckPlots.latency(step, LatencySummary::p99Millis)));
            rows.add(sides.row("p99.9" + at, "ms", step -> CheckPlots.latency(step, LatencySummary::p999Millis)));
            rows.add(sides.row("CPU of the service a request" + at, "µs", AtRate::cpuMicrosPerRequest));
        }
        return List.copyOf(rows);
    }

    /** The answer in one sentence; it claims a difference only where the two intervals do not touch. */
    public static String sentence(Comparison comparison) {
        CheckResult before = comparison.before();
        CheckResult after = comparison.after();
        double low = before.capacity().lowPerSecond();
        double high = before.capacity().highPerSecond();
        String values =
                Wording.capacity(before.capacity()) + " before, " + Wording.capacity(after.capacity()) + " after";
        String ratio =
                Figures.ratio(before.capacity().midPerSecond(), after.capacity().midPerSecond());
        if (after.capacity().lowPerSecond() > high) {
            return "The change raised the capacity"
                    + (ratio.equals(Figures.NONE) ? "" : " to " + ratio + " what it was") + ": " + values + ".";
        }
        if (after.capacity().highPerSecond() < low) {
            return "The change lowered the capacity to " + ratio + " what it was: " + values + ".";
        }
        return "The change made no difference to the capacity that these checks can show: " + values + ".";
    }

    /** How the rows were made, in a sentence or two. */
    static String note(Comparison comparison) {
        String which = AtRate.common(comparison.before(), comparison.after()) == null
                ? "One of the checks sustained no rate, so there is no common rate to compare latency at."
                : "Latency and CPU are compared at the highest rate both sustained, linear between the two steps around it.";
        return which + " Ratio is after divided by before.";
    }

    private record Side(CheckResult before, CheckResult after, double rate) {

        private Row row(String name, String unit, Function<Step, @Nullable Double> figure) {
            Double first = AtRate.value(before, rate, figure);
            Double second = AtRate.value(after, rate, figure);
            return new Row(name, text(first, unit), text(second, unit), Figures.ratio(first, second));
        }

        private static String text(@Nullable Double value, String unit) {
            return value == null ? Figures.NONE : Figures.number(value) + "\u00a0" + unit;
        }
    }

    private BeforeAfter() {}
}
