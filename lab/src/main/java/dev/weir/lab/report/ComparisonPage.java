package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.report.Plot.Axis;
import dev.weir.lab.report.Plot.Band;
import dev.weir.lab.report.Plot.Group;
import dev.weir.lab.report.Plot.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Two measurements beside each other as one HTML file that needs no network and no other file: two checks with one
 * change between them, or the table of an A/B run.
 *
 * <p>The same input gives the same page. No method blocks except the writing ones on their file; any thread may call
 * them.
 */
public final class ComparisonPage {

    /** The page for two checks. */
    public static String render(Comparison comparison) {
        CheckResult before = comparison.before();
        CheckResult after = comparison.after();
        String sentence = BeforeAfter.sentence(comparison);
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
                        "figures", figures(comparison),
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

    private static Html sentences(CheckResult before, CheckResult after) {
        return Html.element(
                "dl",
                Html.fact("Before", before.verdict().sentence()),
                Html.fact("After", after.verdict().sentence()));
    }

    private static Html figures(Comparison comparison) {
        Table table = new Table("Before and after")
                .words("Figure")
                .number("Before", "")
                .number("After", "")
                .number("Ratio", "after / before");
        BeforeAfter.rows(comparison).forEach(row -> table.row(row.figure(), row.before(), row.after(), row.ratio()));
        return Html.join(table.render(), Html.element("p class=\"note\"", BeforeAfter.note(comparison)));
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
