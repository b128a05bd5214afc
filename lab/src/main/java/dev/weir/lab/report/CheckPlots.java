package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;
import dev.weir.lab.check.CheckResult.Step;
import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.knee.Usl;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.report.Plot.Axis;
import dev.weir.lab.report.Plot.Band;
import dev.weir.lab.report.Plot.Group;
import dev.weir.lab.report.Plot.Limit;
import dev.weir.lab.report.Plot.Scale;
import dev.weir.lab.report.Plot.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plots of one check, as data. Pure; what was not measured becomes a gap. */
final class CheckPlots {

    /** More seconds than this are drawn in buckets, which a screen cannot tell from single seconds. */
    private static final int MOST_SECONDS = 1_800;

    static final Axis OFFERED = new Axis("Offered rate", "/s", Scale.LINEAR);
    private static final Axis TIME = new Axis("Time under load, steps one after the other", "s", Scale.LINEAR);

    /** Latency, throughput, in flight, CPU and the scalability fit against the load. */
    static List<Plot> load(CheckResult result) {
        return List.of(latency(result), throughput(result), inFlight(result), cpu(result), scalability(result));
    }

    private static Plot latency(CheckResult result) {
        List<Step> steps = byRate(result);
        Group group = group(
                steps,
                line("p50", "p50", steps, step -> latency(step, LatencySummary::p50Millis)),
                line("p90", "p90", steps, step -> latency(step, LatencySummary::p90Millis)),
                line("p99", "p99", steps, step -> latency(step, LatencySummary::p99Millis)),
                line("p99.9", "p999", steps, step -> latency(step, LatencySummary::p999Millis)));
        List<Limit> bounds = result.slo().latency().stream()
                .filter(bound -> bound.maxMillis() > 0)
                .map(bound -> new Limit(bound.maxMillis(), Wording.bound(bound)))
                .toList();
        return new Plot(
                "latency",
                "Latency",
                "Percentiles of latency from the intended time. Logarithmic.",
                OFFERED,
                new Axis("Latency", "ms", Scale.LOG),
                List.of(group),
                knee(result.capacity(), "knee", ""),
                bounds,
                null);
    }

    private static Plot throughput(CheckResult result) {
        List<Step> steps = byRate(result);
        return new Plot(
                "throughput",
                "Throughput",
                "Requests completed per second. A service that keeps up stays on the dashed diagonal.",
                OFFERED,
                new Axis("Completed", "/s", Scale.LINEAR),
                List.of(
                        group(steps, line("completed", "main", steps, Step::completedPerSecond)),
                        diagonal(steps.isEmpty() ? 1 : steps.getLast().offeredPerSecond())),
                knee(result.capacity(), "knee", ""),
                List.of(),
                null);
    }

    private static Plot inFlight(CheckResult result) {
        List<Step> steps = byRate(result);
        double most = steps.stream().mapToDouble(Step::meanInFlight).max().orElse(0);
        List<Limit> pools =
                workers(steps).filter(limit -> limit.at() <= 2 * most).toList();
        return new Plot(
                "in-flight",
                "In flight",
                "Requests sent and not yet answered, mean of the step. By Little’s law it is rate × latency: it rises in "
                        + "proportion to the rate until something is full.",
                OFFERED,
                new Axis("In flight", "", Scale.LINEAR),
                List.of(group(steps, line("in flight", "main", steps, Step::meanInFlight))),
                knee(result.capacity(), "knee", ""),
                pools,
                null);
    }

    private static Stream<Limit> workers(List<Step> steps) {
        return steps.reversed().stream()
                .map(Step::service)
                .filter(sample -> sample != null && !sample.workers().isEmpty())
                .findFirst()
                .stream()
                .flatMap(sample -> sample.workers().entrySet().stream())
                .map(pool -> new Limit(
                        pool.getValue().max(),
                        pool.getKey() + ": " + Figures.count(pool.getValue().max()) + " threads"));
    }

    private static Plot cpu(CheckResult result) {
        List<Step> steps = byRate(result);
        int cpus = result.machine().cpus();
        Group group = group(
                steps,
                line("service", "service", steps, CheckPlots::serviceCores),
                line("generator", "generator", steps, CheckPlots::generatorCores),
                line("whole machine", "machine", steps, step -> machineCores(step, cpus)));
        return new Plot(
                "cpu",
                "CPU",
                "CPUs in use, mean of the step. A gap means that it could not be seen.",
                OFFERED,
                new Axis("CPUs in use", "", Scale.LINEAR),
                List.of(group),
                knee(result.capacity(), "knee", ""),
                cpuLimits(steps, cpus),
                null);
    }

    private static List<Limit> cpuLimits(List<Step> steps, int cpus) {
        Limit machine = new Limit(cpus, cpus == 1 ? "the CPU" : "all " + cpus + " CPUs");
        return steps.reversed().stream()
                .map(Step::service)
                .map(service -> service == null ? null : service.cpuLimitCores())
                .filter(limit -> limit != null && limit < cpus)
                .findFirst()
                .map(limit -> List.of(machine, new Limit(limit, "quota of the service: " + Figures.number(limit))))
                .orElse(List.of(machine));
    }

    static @Nullable Double serviceCores(Step step) {
        ServiceSample service = step.service();
        return service == null ? null : service.cpuCores();
    }

    static @Nullable Double generatorCores(Step step) {
        double seconds = step.duration().toNanos() / 1e9;
        return seconds > 0 ? Figures.present(step.generator().cpuNanos() / 1e9 / seconds) : null;
    }

    static @Nullable Double machineShare(Step step) {
        Double seen = Figures.present(step.generator().machineCpuShare());
        ServiceSample service = step.service();
        return seen == null && service != null ? service.machineCpuShare() : seen;
    }

    private static @Nullable Double machineCores(Step step, int cpus) {
        Double share = machineShare(step);
        return share == null ? null : share * cpus;
    }

    private static Plot scalability(CheckResult result) {
        List<Step> steps = result.steps().stream()
                .filter(step -> step.meanInFlight() > 0)
                .sorted(Comparator.comparingDouble(Step::meanInFlight))
                .toList();
        Group measured = group(Step::meanInFlight, steps, line("measured", "main", steps, Step::completedPerSecond));
        List<Group> groups = new ArrayList<>(List.of(measured));
        Usl usl = result.usl();
        if (usl != null && !steps.isEmpty()) {
            groups.add(
                    curve(usl, steps.getFirst().meanInFlight(), steps.getLast().meanInFlight()));
        }
        return new Plot(
                "scalability",
                "Scalability",
                Wording.scalability(usl),
                new Axis("In flight", "", Scale.LOG),
                new Axis("Completed", "/s", Scale.LINEAR),
                groups,
                List.of(),
                List.of(),
                null);
    }

    private static Group curve(Usl usl, double from, double to) {
        double low = Math.min(from, Math.max(from / 2, 1));
        List<Double> inFlight = distinct(IntStream.rangeClosed(0, 80)
                .mapToObj(i -> low * Math.pow(to / low, i / 80.0))
                .toList());
        List<@Nullable Double> rates = new ArrayList<>();
        for (double n : inFlight) {
            rates.add(Figures.plotted(usl.lambda() * n / (1 + usl.sigma() * (n - 1) + usl.kappa() * n * (n - 1))));
        }
        return new Group(inFlight, List.of(), List.of(new Series("fit", "fit", false, rates)));
    }

    /** The percentile plot of a step below the knee and of the one at it. */
    static Plot spectrum(@Nullable Step below, @Nullable Step knee) {
        List<Group> groups = new ArrayList<>();
        if (knee != null) {
            String where = knee.passed() ? "at the knee" : "at the lowest rate";
            groups.add(spectrum(where + ", from intended", "knee", knee.fromIntended()));
            groups.add(spectrum(where + ", from sent", "knee-sent", knee.fromSent()));
        }
        if (below != null) {
            groups.add(spectrum("below it, from intended", "below", below.fromIntended()));
            groups.add(spectrum("below it, from sent", "below-sent", below.fromSent()));
        }
        return new Plot(
                "spectrum",
                "Latency by percentile",
                "Each tick to the right is a rarer request: 99.9 % is the slowest of a thousand. Where “from sent” lies "
                        + "below “from intended”, requests waited before they could be sent, which a generator that only "
                        + "counts from the send does not show.",
                new Axis("Percentile of requests", "", Scale.PERCENTILE),
                new Axis("Latency", "ms", Scale.LOG),
                groups.stream().filter(group -> !group.x().isEmpty()).toList(),
                List.of(),
                List.of(),
                null);
    }

    private static Group spectrum(String label, String style, LatencySummary latency) {
        List<Double> places = new ArrayList<>();
        List<@Nullable Double> millis = new ArrayList<>();
        for (LatencySummary.Point point : latency.spectrum()) {
            double share = 1 - point.percentile() / 100;
            Double place = Figures.plotted(share * latency.count() > 1 ? 1 / share : (double) latency.count());
            if (place != null && point.millis() > 0 && (places.isEmpty() || place > places.getLast())) {
                places.add(place);
                millis.add(Figures.plotted(point.millis()));
            }
        }
        return new Group(places, List.of(), List.of(new Series(label, style, false, millis)));
    }

    /** Rates and p99 of every second under load. */
    static List<Plot> time(CheckResult result) {
        Timeline timeline = new Timeline(result.steps());
        String grain = timeline.bucketSeconds == 1
                ? ""
                : " Each point stands for " + timeline.bucketSeconds + " seconds: mean rates, highest p99.";
        Plot rates = new Plot(
                "time-rates",
                "Rates",
                "Offered by the schedule, completed and failed, per second. Numbers along the top are the steps; those that "
                        + "were not sustained are shaded. Drag to zoom, double-click to go back." + grain,
                TIME,
                new Axis("Rate", "/s", Scale.LINEAR),
                List.of(new Group(
                        timeline.at,
                        List.of(),
                        List.of(
                                new Series("completed", "main", false, timeline.completed),
                                new Series("offered", "offered", false, timeline.offered),
                                new Series("failed", "failures", false, timeline.failed)))),
                timeline.bands,
                List.of(),
                "time");
        Plot latency = new Plot(
                "time-latency",
                "Latency, p99",
                "99th percentile of the requests intended for each second. Logarithmic. A second in which nothing completed is "
                        + "a gap." + grain,
                TIME,
                new Axis("p99", "ms", Scale.LOG),
                List.of(new Group(
                        timeline.at, List.of(), List.of(new Series("p99", "p99", false, timeline.p99Millis)))),
                timeline.bands,
                List.of(),
                "time");
        return List.of(rates, latency);
    }

    /** The seconds of all steps on one axis, with a gap between two steps. */
    private static final class Timeline {

        private final List<Double> at = new ArrayList<>();
        private final List<@Nullable Double> offered = new ArrayList<>();
        private final List<@Nullable Double> completed = new ArrayList<>();
        private final List<@Nullable Double> failed = new ArrayList<>();
        private final List<@Nullable Double> p99Millis = new ArrayList<>();
        private final List<Band> bands = new ArrayList<>();
        private final int bucketSeconds;

        private Timeline(List<Step> steps) {
            int total = steps.stream().mapToInt(step -> step.seconds().size()).sum();
            bucketSeconds = Math.ceilDiv(Math.max(total, 1), MOST_SECONDS);
            double from = 0;
            for (Step step : steps) {
                if (!step.seconds().isEmpty()) {
                    from = append(step, from);
                }
            }
        }

        private double append(Step step, double from) {
            List<SecondSample> seconds = step.seconds();
            for (int i = 0; i < seconds.size(); i += bucketSeconds) {
                List<SecondSample> bucket = seconds.subList(i, Math.min(i + bucketSeconds, seconds.size()));
                bucket(
                        from + i,
                        bucket,
                        bucket.getFirst().second() >= step.duration().toSeconds());
            }
            double end = from + seconds.size();
            bands.add(new Band(from, end - 0.5, String.valueOf(step.index()), step.passed() ? "pass" : "fail"));
            add(end, null, null, null, null);
            return end + bucketSeconds;
        }

        private void bucket(double second, List<SecondSample> samples, boolean draining) {
            double p99Nanos =
                    samples.stream().mapToLong(SecondSample::p99Nanos).max().orElse(0);
            add(
                    second,
                    draining ? null : mean(samples, SecondSample::offered),
                    mean(samples, SecondSample::completed),
                    mean(samples, SecondSample::failed),
                    p99Nanos > 0 ? p99Nanos / 1e6 : null);
        }

        private static double mean(List<SecondSample> samples, ToDoubleFunction<SecondSample> figure) {
            return samples.stream().mapToDouble(figure).average().orElse(0);
        }

        private void add(
                double second,
                @Nullable Double offer,
                @Nullable Double done,
                @Nullable Double fail,
                @Nullable Double millis) {
            at.add(second);
            offered.add(Figures.plotted(offer));
            completed.add(Figures.plotted(done));
            failed.add(Figures.plotted(fail));
            p99Millis.add(Figures.plotted(millis));
        }
    }

    /** The capacity as a shaded range; none where no rate was measured. */
    static List<Band> knee(Capacity capacity, String label, String style) {
        double low = capacity.lowPerSecond();
        double high = capacity.highPerSecond();
        if (Double.isInfinite(high)) {
            return low > 0 ? List.of(new Band(low, null, "sustained at " + Figures.rate(low), style)) : List.of();
        }
        String range = low > 0 ? Figures.number(low) + " to " + Figures.rate(high) : "below " + Figures.rate(high);
        return List.of(new Band(low, high, label + " " + range, style));
    }

    static List<Step> byRate(CheckResult result) {
        return result.steps().stream()
                .sorted(Comparator.comparingDouble(Step::offeredPerSecond))
                .toList();
    }

    /** Lines over the offered rate of the steps, which must be in that order. */
    static Group group(List<Step> steps, Series... series) {
        return group(Step::offeredPerSecond, steps, series);
    }

    private static Group group(ToDoubleFunction<Step> place, List<Step> steps, Series... series) {
        List<Integer> open = IntStream.range(0, steps.size())
                .filter(i -> !steps.get(i).passed())
                .boxed()
                .toList();
        List<Double> places = steps.stream().mapToDouble(place).boxed().toList();
        return new Group(distinct(places), open, List.of(series));
    }

    static Series line(String label, String style, List<Step> steps, Function<Step, @Nullable Double> value) {
        List<@Nullable Double> values = new ArrayList<>();
        for (Step step : steps) {
            values.add(Figures.plotted(value.apply(step)));
        }
        return new Series(label, style, true, values);
    }

    static Group diagonal(double highest) {
        return new Group(
                List.of(0.0, highest),
                List.of(),
                List.of(new Series("ideal", "reference", false, List.of(0.0, highest))));
    }

    /** A latency of the step; null where nothing completed, or the value has no place on a logarithmic axis. */
    static @Nullable Double latency(Step step, ToDoubleFunction<LatencySummary> figure) {
        LatencySummary latency = step.fromIntended();
        double millis = figure.applyAsDouble(latency);
        return latency.count() > 0 && millis > 0 ? millis : null;
    }

    /** The same ascending values with repeated ones moved by the least amount: the plot needs each x once. */
    private static List<Double> distinct(List<Double> ascending) {
        double[] values = ascending.stream().mapToDouble(Double::doubleValue).toArray();
        for (int i = 1; i < values.length; i++) {
            values[i] = Math.max(values[i], Math.nextUp(values[i - 1]));
        }
        return DoubleStream.of(values).boxed().toList();
    }

    private CheckPlots() {}
}
