package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.report.Plot.Axis;
import dev.weir.lab.report.Plot.Band;
import dev.weir.lab.report.Plot.Group;
import dev.weir.lab.report.Plot.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two measurements beside each other as one HTML file that needs no network and no other file: two checks with one
 * change between them, or the table of an A/B run.
 *
 * <p>The same input gives the same page. No method blocks except the writing ones on their file; any thread may call
 * them.
 */
public final class ComparisonPage {

    private static final String RULE = "Ratio is after divided by before.";

    /** The page for two checks. */
    public static String render(Comparison comparison) {
        CheckResult before = comparison.before();
        CheckResult after = comparison.after();
        String sentence = sentence(before, after);
        List<Plot> plots = List.of(latency(before, after), throughput(before, after));
        Html body = Template.fill(
                "comparison.html",
                Map.of(
                        "target", Html.text(before.target()),
                        "sentence", Html.text(sentence),
                        "meta",
                                Html.text("before " + Wording.instant(before.startedAt()) + " · after "
                                        + Wording.instant(after.startedAt())),
                        "change", Html.text(comparison.change()),
                        "sentences", sentences(before, after),
                        "figures", figures(before, after),
                        "plots", CheckReport.figures(plots),
                        "conditions", conditions(before, after)));
        return Page.render("Weir, before and after: " + sentence, body, plots);
    }

    /** The page for the table of an A/B run. */
    public static String render(AbResult result) {
        Table table = new Table("A and B, figure by figure")
                .words("Figure")
                .number("A", "")
                .number("B", "")
                .number("Change", "B against A")
                .number("Interval", "")
                .words("Verdict");
        result.rows()
                .forEach(row -> table.row(
                        row.figure(),
                        row.a(),
                        row.b(),
                        Objects.requireNonNullElse(row.change(), Figures.NONE),
                        Objects.requireNonNullElse(row.interval(), Figures.NONE),
                        row.verdict()));
        Html conditions = Html.join(result.conditions().entrySet().stream()
                .map(condition -> Html.fact(condition.getKey(), condition.getValue()))
                .toList());
        Html body = Template.fill(
                "ab.html",
                Map.of(
                        "a", Html.element("code", result.a()),
                        "b", Html.element("code", result.b()),
                        "sentence", Html.text(result.sentence()),
                        "figures", table.render(),
                        "notes", Html.list(result.notes()),
                        "conditions", Html.element("dl", conditions)));
        return Page.render("Weir compare: " + result.sentence(), body, List.of());
    }

    /**
     * Writes the page in one step: the file holds the old content or the whole new one. Missing folders are made.
     *
     * @throws IOException where the file cannot be written
     */
    public static void write(Comparison comparison, Path file) throws IOException {
        Page.write(render(comparison), file);
    }

    /** As {@link #write(Comparison, Path)}, for an A/B run. */
    public static void write(AbResult result, Path file) throws IOException {
        Page.write(render(result), file);
    }

    /** The answer in one sentence; it claims a difference only where the two intervals do not touch. */
    static String sentence(CheckResult before, CheckResult after) {
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

    private static Html sentences(CheckResult before, CheckResult after) {
        return Html.element(
                "dl",
                Html.fact("Before", before.verdict().sentence()),
                Html.fact("After", after.verdict().sentence()));
    }

    private static Html figures(CheckResult before, CheckResult after) {
        Double rate = AtRate.common(before, after);
        Table table = new Table("Before and after")
                .words("Figure")
                .number("Before", "")
                .number("After", "")
                .number("Ratio", "after / before");
        table.row(
                "Capacity",
                Wording.capacity(before.capacity()),
                Wording.capacity(after.capacity()),
                Figures.ratio(before.capacity().midPerSecond(), after.capacity().midPerSecond()));
        if (rate != null) {
            String at = " at " + Figures.rate(rate);
            Side sides = new Side(before, after, rate);
            sides.row(table, "p50" + at, "ms", step -> CheckPlots.latency(step, LatencySummary::p50Millis));
            sides.row(table, "p99" + at, "ms", step -> CheckPlots.latency(step, LatencySummary::p99Millis));
            sides.row(table, "p99.9" + at, "ms", step -> CheckPlots.latency(step, LatencySummary::p999Millis));
            sides.row(table, "CPU of the service a request" + at, "µs", AtRate::cpuMicrosPerRequest);
        }
        String which = rate == null
                ? "One of the checks sustained no rate, so there is no common rate to compare latency at."
                : "Latency and CPU are compared at the highest rate both sustained, linear between the two steps around it.";
        return Html.join(table.render(), Html.element("p class=\"note\"", which + " " + RULE));
    }

    private record Side(CheckResult before, CheckResult after, double rate) {

        private void row(Table table, String name, String unit, Function<Step, @Nullable Double> figure) {
            Double first = AtRate.value(before, rate, figure);
            Double second = AtRate.value(after, rate, figure);
            table.row(name, text(first, unit), text(second, unit), Figures.ratio(first, second));
        }

        private static String text(@Nullable Double value, String unit) {
            return value == null ? Figures.NONE : Figures.number(value) + "\u00a0" + unit;
        }
    }

    private static Plot latency(CheckResult before, CheckResult after) {
        return new Plot(
                "latency",
                "Latency",
                "Median and 99th percentile of latency from the intended time. Logarithmic.",
                CheckPlots.OFFERED,
                new Axis("Latency", "ms", Scale.LOG),
                List.of(latency(before, "before"), latency(after, "after")),
                bands(before, after),
                List.of(),
                null);
    }

    private static Group latency(CheckResult result, String side) {
        List<Step> steps = CheckPlots.byRate(result);
        return CheckPlots.group(
                steps,
                CheckPlots.line(
                        "p99 " + side, side, steps, step -> CheckPlots.latency(step, LatencySummary::p99Millis)),
                CheckPlots.line(
                        "p50 " + side,
                        side + "-soft",
                        steps,
                        step -> CheckPlots.latency(step, LatencySummary::p50Millis)));
    }

    private static Plot throughput(CheckResult before, CheckResult after) {
        List<Group> groups = new ArrayList<>(List.of(throughput(before, "before"), throughput(after, "after")));
        double highest = Stream.of(before, after)
                .flatMap(result -> result.steps().stream())
                .mapToDouble(Step::offeredPerSecond)
                .max()
                .orElse(1);
        groups.add(CheckPlots.diagonal(highest));
        return new Plot(
                "throughput",
                "Throughput",
                "Requests completed per second. A service that keeps up stays on the dashed diagonal.",
                CheckPlots.OFFERED,
                new Axis("Completed", "/s", Scale.LINEAR),
                groups,
                bands(before, after),
                List.of(),
                null);
    }

    private static Group throughput(CheckResult result, String side) {
        List<Step> steps = CheckPlots.byRate(result);
        return CheckPlots.group(steps, CheckPlots.line(side, side, steps, Step::completedPerSecond));
    }

    private static List<Band> bands(CheckResult before, CheckResult after) {
        return Stream.concat(
                        CheckPlots.knee(before.capacity(), "before", "before").stream(),
                        CheckPlots.knee(after.capacity(), "after", "after").stream())
                .toList();
    }

    private static Html conditions(CheckResult before, CheckResult after) {
        return Html.join(
                Html.element("h3", "Before"),
                CheckReport.conditions(before),
                Html.element("h3", "After"),
                CheckReport.conditions(after));
    }

    private ComparisonPage() {}
}
