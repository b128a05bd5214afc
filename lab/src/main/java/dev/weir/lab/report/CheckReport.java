package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.diagnose.Verdict;
import dev.weir.lab.host.Machine;
import dev.weir.lab.measure.LatencySummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A check as one HTML file that needs no network and no other file: the sentence first, then the change, the capacity,
 * the plots, the steps, the evidence and the conditions. All text and all tables stand in the file without a script.
 *
 * <p>The same result gives the same page. Any thread may call the methods.
 */
public final class CheckReport {

    /** A step this far below the knee shows the service at ease. */
    private static final double AT_EASE = 0.8;

    /** The page for a result. How to run it again is put together from the result. */
    public static String render(CheckResult result) {
        return render(result, rebuiltCommand(result));
    }

    /**
     * The page for a result.
     *
     * @param command the command line that made the result, as a user would type it again
     */
    public static String render(CheckResult result, String command) {
        List<Plot> load = CheckPlots.load(result);
        List<Plot> time = CheckPlots.time(result);
        Step knee = kneeStep(result);
        Step below = knee == null ? null : stepBelow(result, knee);
        Plot spectrum = CheckPlots.spectrum(below, knee);
        Html body = Template.fill(
                "check.html",
                Map.ofEntries(
                        Map.entry("target", Html.text(result.target())),
                        Map.entry("sentence", Html.text(result.verdict().sentence())),
                        Map.entry("meta", meta(result)),
                        Map.entry("change", change(result.verdict())),
                        Map.entry("capacity", Html.text(Wording.capacity(result.capacity()))),
                        Map.entry("capacity-facts", capacityFacts(result)),
                        Map.entry("load-plots", figures(load)),
                        Map.entry("spectrum", spectrum(spectrum, below, knee)),
                        Map.entry("time-plots", figures(time)),
                        Map.entry("steps", steps(result)),
                        Map.entry("evidence", evidence(result.verdict())),
                        Map.entry("missing", missing(result.verdict())),
                        Map.entry("conditions", conditions(result)),
                        Map.entry("reproduce", Html.element("pre", Html.element("code", command)))));
        List<Plot> plots = new ArrayList<>(load);
        plots.add(spectrum);
        plots.addAll(time);
        return Page.render("Weir check: " + result.verdict().sentence(), body, plots);
    }

    private static Html meta(CheckResult result) {
        return Html.text(Wording.instant(result.startedAt()) + " · took " + Figures.duration(result.took())
                + " · cause: " + result.verdict().cause().id());
    }

    private static Html change(Verdict verdict) {
        Verdict.Change change = verdict.change();
        if (change == null) {
            return Html.element("p", "None: there is no change to the service that this measurement can justify.");
        }
        Html arrow = change.from() == null
                ? Html.text(change.setsProperty() ? " = " : ": ")
                : Html.join(
                        Html.text(" from "),
                        Html.element("code", change.from()),
                        Html.element("span class=\"arrow\"", "→"));
        Double expected = change.expectedPerSecond();
        return Html.join(
                Html.element(
                        "p class=\"setting\"",
                        change.setsProperty() ? Html.element("code", change.setting()) : Html.text(change.setting()),
                        arrow,
                        Html.element(
                                "strong",
                                change.setsProperty() ? Html.element("code", change.to()) : Html.text(change.to()))),
                Html.element(
                        "dl",
                        Html.fact("Why", change.why()),
                        Html.fact(
                                "Expected",
                                expected == null
                                        ? "no honest prediction is possible; check again after the change"
                                        : "capacity of about " + Figures.rate(expected))));
    }

    private static Html capacityFacts(CheckResult result) {
        double calibrated = result.calibration().maxPerSecond();
        double capacity = result.capacity().midPerSecond();
        String room = capacity > 0
                ? Figures.number(calibrated / capacity) + " times this capacity"
                : "no capacity to compare it with";
        return Html.element(
                "dl",
                Html.fact("Interval", Wording.interval(result.capacity())),
                Html.fact("Set by", Wording.limit(result.capacity().limit())),
                Html.fact("Objective", Wording.objective(result.slo())),
                Html.fact("Generator alone", "up to " + Figures.rate(calibrated) + " on a null server: " + room));
    }

    static Html figures(List<Plot> plots) {
        return Html.join(plots.stream().map(Plot::figure).toList());
    }

    private static Html spectrum(Plot plot, @Nullable Step below, @Nullable Step knee) {
        if (knee == null) {
            return Html.element("p class=\"note\"", "No step was measured.");
        }
        String name = knee.passed() ? "At the knee" : "Lowest rate";
        Table table = new Table("Latency at the percentiles, milliseconds")
                .text("Percentile")
                .number(name + ", " + Figures.rate(knee.offeredPerSecond()), "from intended")
                .number(name, "from sent");
        if (below != null) {
            table.number("Below it, " + Figures.rate(below.offeredPerSecond()), "from intended")
                    .number("Below it", "from sent");
        }
        PERCENTILES.forEach((percentile, figure) -> {
            List<Html> row = new ArrayList<>(List.of(
                    Html.text(percentile), latency(knee.fromIntended(), figure), latency(knee.fromSent(), figure)));
            if (below != null) {
                row.add(latency(below.fromIntended(), figure));
                row.add(latency(below.fromSent(), figure));
            }
            table.row(row);
        });
        String which = knee.passed()
                ? "The knee is shown by the highest rate that was sustained, " + Figures.rate(knee.offeredPerSecond())
                        + "."
                : "No step was sustained; this is the lowest rate tried, " + Figures.rate(knee.offeredPerSecond())
                        + ".";
        return Html.join(
                Html.element("p", which), Html.element("div class=\"plots wide\"", plot.figure()), table.render());
    }

    private static final Map<String, ToDoubleFunction<LatencySummary>> PERCENTILES = percentiles();

    private static Map<String, ToDoubleFunction<LatencySummary>> percentiles() {
        Map<String, ToDoubleFunction<LatencySummary>> percentiles = new LinkedHashMap<>();
        percentiles.put("mean", LatencySummary::meanMillis);
        percentiles.put("p50", LatencySummary::p50Millis);
        percentiles.put("p75", LatencySummary::p75Millis);
        percentiles.put("p90", LatencySummary::p90Millis);
        percentiles.put("p95", LatencySummary::p95Millis);
        percentiles.put("p99", LatencySummary::p99Millis);
        percentiles.put("p99.9", LatencySummary::p999Millis);
        percentiles.put("p99.99", LatencySummary::p9999Millis);
        percentiles.put("max", LatencySummary::maxMillis);
        return percentiles;
    }

    private static Html latency(LatencySummary latency, ToDoubleFunction<LatencySummary> figure) {
        return Html.text(latency.count() == 0 ? Figures.NONE : Figures.number(figure.applyAsDouble(latency)));
    }

    private static Html steps(CheckResult result) {
        if (result.steps().isEmpty()) {
            return Html.element("p class=\"note\"", "No step was run.");
        }
        return Html.join(rates(result.steps()), latencies(result.steps()), resources(result.steps()));
    }

    private static Html rates(List<Step> steps) {
        Table table = new Table("Rates and outcome of each step, in the order they ran")
                .number("Step", "")
                .text("Phase")
                .number("Offered", "/s")
                .number("Sent", "/s")
                .number("Completed", "/s")
                .number("Duration", "s")
                .text("Sustained")
                .words("Why not")
                .words("Failures by kind");
        steps.forEach(step -> table.row(
                step.index(),
                step.phase(),
                Figures.number(step.offeredPerSecond()),
                Figures.number(step.sentPerSecond()),
                Figures.number(step.completedPerSecond()),
                Figures.number(step.duration().toMillis() / 1e3),
                step.passed() ? Html.element("span class=\"pass\"", "yes") : Html.element("span class=\"fail\"", "no"),
                String.join("; ", step.reasons()),
                Wording.failures(step)));
        return table.render();
    }

    private static Html latencies(List<Step> steps) {
        Table table = new Table("Latency from the intended time and requests in flight, for each step")
                .number("Step", "")
                .number("Offered", "/s")
                .number("Mean", "ms")
                .number("p50", "ms")
                .number("p90", "ms")
                .number("p99", "ms")
                .number("p99.9", "ms")
                .number("Max", "ms")
                .number("p99 from sent", "ms")
                .number("Schedule lag p99", "ms")
                .number("In flight", "mean")
                .number("Little’s ratio", "1 where steady");
        steps.forEach(step -> table.row(
                step.index(),
                Figures.number(step.offeredPerSecond()),
                latency(step.fromIntended(), LatencySummary::meanMillis),
                latency(step.fromIntended(), LatencySummary::p50Millis),
                latency(step.fromIntended(), LatencySummary::p90Millis),
                latency(step.fromIntended(), LatencySummary::p99Millis),
                latency(step.fromIntended(), LatencySummary::p999Millis),
                latency(step.fromIntended(), LatencySummary::maxMillis),
                latency(step.fromSent(), LatencySummary::p99Millis),
                latency(step.scheduleLag(), LatencySummary::p99Millis),
                Figures.number(step.meanInFlight()),
                Figures.number(step.littleRatio())));
        return table.render();
    }

    private static Html resources(List<Step> steps) {
        Table table = new Table("CPU and threads during each step")
                .number("Step", "")
                .number("Offered", "/s")
                .number("Service", "CPUs")
                .number("Generator", "CPUs")
                .number("Machine", "% in use")
                .number("Run queue", "threads")
                .number("Collections", "%")
                .number("Throttled", "%")
                .number("Accept queue", "mean")
                .number("Threads", "")
                .words("Workers, busy of")
                .words("Pools, active of (waiting)");
        steps.forEach(step -> table.row(resources(step)));
        return table.render();
    }

    private static List<Html> resources(Step step) {
        ServiceSample service = step.service();
        Double machine = CheckPlots.machineShare(step);
        Double collections = service == null ? null : service.gcShare();
        Double throttled = service == null ? null : service.cpuThrottledShare();
        Integer threads = service == null ? null : service.threads();
        return List.of(
                Html.text(String.valueOf(step.index())),
                Html.text(Figures.number(step.offeredPerSecond())),
                Html.text(Figures.number(CheckPlots.serviceCores(step))),
                Html.text(Figures.number(CheckPlots.generatorCores(step))),
                Html.text(Figures.number(machine == null ? null : machine * 100)),
                Html.text(Figures.number(service == null ? null : service.runDelayShare())),
                Html.text(Figures.number(collections == null ? null : collections * 100)),
                Html.text(Figures.number(throttled == null ? null : throttled * 100)),
                Html.text(Figures.number(service == null ? null : service.acceptQueueMean())),
                Html.text(threads == null ? Figures.NONE : Figures.count(threads)),
                Html.text(service == null || service.workers().isEmpty() ? Figures.NONE : workers(service)),
                Html.text(service == null || service.pools().isEmpty() ? Figures.NONE : pools(service)));
    }

    private static String workers(ServiceSample service) {
        return String.join(
                ", ",
                service.workers().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(pool -> pool.getKey() + " "
                                + Figures.number(pool.getValue().busyMean()) + " of "
                                + Figures.count(pool.getValue().max()))
                        .toList());
    }

    private static String pools(ServiceSample service) {
        return String.join(
                ", ",
                service.pools().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(pool -> pool.getKey() + " "
                                + Figures.number(pool.getValue().activeMean()) + " of "
                                + Figures.count(pool.getValue().max()) + " ("
                                + Figures.number(pool.getValue().pendingMean()) + ")")
                        .toList());
    }

    private static Html evidence(Verdict verdict) {
        if (verdict.evidence().isEmpty()) {
            return Html.element("p class=\"note\"", "There is none.");
        }
        Table table = new Table("What the verdict rests on, strongest first")
                .words("What was looked at")
                .text("Figure")
                .text("Source");
        verdict.evidence().forEach(fact -> table.row(fact.what(), fact.value(), fact.source()));
        return table.render();
    }

    private static Html missing(Verdict verdict) {
        return verdict.missing().isEmpty()
                ? Html.element("p", "Nothing that would change the verdict.")
                : Html.list(verdict.missing());
    }

    static Html conditions(CheckResult result) {
        CheckResult.Calibration calibration = result.calibration();
        CheckResult.WarmUp warmUp = result.warmUp();
        Duration underLoad = result.steps().stream().map(Step::duration).reduce(Duration.ZERO, Duration::plus);
        return Html.element(
                "dl",
                Html.fact("Service", service(result.service())),
                Html.fact("Machine", machine(result.machine())),
                Html.fact("JDK of the generator", result.machine().jdk()),
                Html.fact(
                        "Warm-up",
                        Figures.duration(warmUp.took()) + ", " + Figures.count(warmUp.requests()) + " requests, "
                                + (warmUp.settled() ? "settled: " : "not settled: ") + warmUp.why()),
                Html.fact(
                        "Calibration",
                        "the generator alone reaches " + Figures.rate(calibration.maxPerSecond()) + " and uses "
                                + Figures.number(calibration.cpuMicrosPerRequest()) + " µs of CPU a request"),
                Html.fact(
                        "Load",
                        Figures.count(result.steps().size(), "step") + ", " + Figures.duration(underLoad)
                                + " under load"),
                Html.fact("Data format", Html.element("code", result.schema())));
    }

    private static String service(CheckResult.@Nullable Service service) {
        if (service == null) {
            return "no process was found behind this address; its figures are missing";
        }
        String jvm = service.jvm() == null ? "" : ", " + service.jvm();
        return service.name() + " (process " + service.pid() + ")" + jvm;
    }

    private static String machine(Machine machine) {
        return machine.cpuModel() + ", " + Figures.count(machine.cpus(), "CPU") + ", "
                + Figures.gibibytes(machine.memoryBytes()) + ", " + machine.os();
    }

    /** The last step at the highest rate confirmed as sustained; the lowest rate tried where none was; null without steps. */
    private static @Nullable Step kneeStep(CheckResult result) {
        Comparator<Step> byRate = Comparator.comparingDouble(Step::offeredPerSecond);
        double confirmed = result.capacity().lowPerSecond() * 1.001;
        return result.steps().stream()
                .filter(step -> step.passed() && step.offeredPerSecond() <= confirmed)
                .max(byRate.thenComparingInt(Step::index))
                .or(() -> result.steps().stream().min(byRate))
                .orElse(null);
    }

    private static @Nullable Step stepBelow(CheckResult result, Step knee) {
        return result.steps().stream()
                .filter(step -> step.passed() && step.offeredPerSecond() <= AT_EASE * knee.offeredPerSecond())
                .max(Comparator.comparingDouble(Step::offeredPerSecond).thenComparingInt(Step::index))
                .orElse(null);
    }

    private static String rebuiltCommand(CheckResult result) {
        return "weir check " + quoted(result.target()) + " --slo "
                + quoted(result.slo().text());
    }

    /** For a POSIX shell: one word, whatever it holds. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private CheckReport() {}
}
