package dev.weir.lab.compare;

import dev.weir.lab.engine.Generator;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Warms up and measures one running side. */
final class RunMeasurer {
    private static final Duration LONGEST_SLICE = Duration.ofSeconds(2);
    private static final int SLICES = 8;
    private static final int REST_PARTS = 8;

    /** Waits. */
    @FunctionalInterface
    interface Rest {
        void of(Duration time) throws InterruptedException;
    }

    private record WarmUp(double seconds, boolean settled, double ratePerSecond) {}

    private final CompareSettings settings;
    private final Generators generators;
    private final CompareProgress progress;
    private final Rest rest;

    RunMeasurer(CompareSettings settings, Generators generators, CompareProgress progress, Rest rest) {
        this.settings = settings;
        this.generators = generators;
        this.progress = progress;
        this.rest = rest;
    }

    /**
     * Warms up, measures the capacity in a closed loop, then the rest at the fixed rate.
     *
     * @param ratePerSecond the fixed rate; null where this run is to choose it
     */
    MeasuredRun measure(
            Subject subject, String name, Side side, int position, double startSeconds, @Nullable Double ratePerSecond)
            throws ServiceFailure, InterruptedException {
        try (Generator generator = generators.open(subject.url())) {
            WarmUp warmUp = warmUp(generator, name);
            Map<Figure, RunSeries> series = new EnumMap<>(Figure.class);
            List<Measurement> measurements = new ArrayList<>();
            double capacity = warmUp.ratePerSecond;
            if (settings.measuresCapacity()) {
                progress.tell("measuring the capacity");
                Measurement closed = generator.run(Load.closed(settings.time()), RunMeasurer::ignore);
                measurements.add(closed);
                addSeries(series, Figure.CAPACITY, side, position, RunSeconds.capacity(closed));
                capacity = series.containsKey(Figure.CAPACITY)
                        ? Math.exp(series.get(Figure.CAPACITY).log())
                        : capacity;
            }
            double rate = ratePerSecond == null ? FixedRate.of(capacity, settings.share()) : ratePerSecond;
            Measurement atRate = null;
            if (settings.measuresAtRate()) {
                atRate = atRate(generator, subject, rate, side, position, series);
                measurements.add(atRate);
            }
            return new MeasuredRun(
                    summary(position, side, startSeconds, warmUp, series, measurements, atRate), series, rate);
        }
    }

    private WarmUp warmUp(Generator generator, String name) throws ServiceFailure, InterruptedException {
        progress.tell("warming up");
        Duration slice = shorter(LONGEST_SLICE, settings.warmUp().dividedBy(SLICES));
        Duration pause = slice.dividedBy(REST_PARTS);
        List<Double> rates = new ArrayList<>();
        Duration spent = Duration.ZERO;
        while (spent.compareTo(settings.warmUp()) < 0 && !WarmUpRule.settled(rates)) {
            Measurement run = generator.run(Load.closed(slice), RunMeasurer::ignore);
            refuseFailing(run, name);
            rates.add(run.succeeded() / (run.duration().toNanos() / 1e9));
            // A busy machine starves the JIT compilers: a service may reach its speed only after a moment's peace.
            rest.of(pause);
            spent = spent.plus(slice).plus(pause);
        }
        requireAnswers(rates, name);
        return new WarmUp(spent.toMillis() / 1e3, WarmUpRule.settled(rates), rates.getLast());
    }

    /** A slice may be too short for the first answer of a cold service; a failure without any answer is none. */
    private static void refuseFailing(Measurement run, String name) throws ServiceFailure {
        if (run.succeeded() == 0 && run.failed() > 0) {
            throw new ServiceFailure(name + " answered no request well: " + String.join(", ", failures(Stream.of(run)))
                    + "; check the URL and the requests");
        }
    }

    private static void requireAnswers(List<Double> rates, String name) throws ServiceFailure {
        if (rates.stream().allMatch(rate -> rate == 0)) {
            throw new ServiceFailure(
                    name + " answered no request during its warm-up; check the URL and the requests, or"
                            + " give a longer --warmup");
        }
    }

    private Measurement atRate(
            Generator generator, Subject subject, double rate, Side side, int position, Map<Figure, RunSeries> series)
            throws InterruptedException {
        progress.tell(String.format(Locale.ROOT, "measuring at %,.0f/s", rate));
        Map<Integer, Duration> cpu = new ConcurrentHashMap<>();
        Load load = Load.poisson(rate, settings.time(), settings.seed() + position);
        Measurement run =
                generator.run(load, second -> subject.cpuTime().ifPresent(time -> cpu.put(second.second(), time)));
        // The run may be over before its last second was told.
        subject.cpuTime().ifPresent(time -> cpu.putIfAbsent(RunSeconds.last(run), time));
        addSeries(series, Figure.LATENCY_P50, side, position, RunSeconds.latency(run, SecondSample::p50Nanos));
        addSeries(series, Figure.LATENCY_P99, side, position, RunSeconds.latency(run, SecondSample::p99Nanos));
        addSeries(series, Figure.CPU_PER_REQUEST, side, position, RunSeconds.cpu(run, cpu));
        return run;
    }

    private void addSeries(
            Map<Figure, RunSeries> series, Figure figure, Side side, int position, List<RunSeries.Second> seconds) {
        boolean isSomething = seconds.stream().anyMatch(second -> second.amount() > 0);
        if (isSomething && settings.figures().contains(figure)) {
            series.put(figure, new RunSeries(side, position, seconds, figure.geometric()));
        }
    }

    private static CompareRun summary(
            int position,
            Side side,
            double startSeconds,
            WarmUp warmUp,
            Map<Figure, RunSeries> series,
            List<Measurement> measurements,
            @Nullable Measurement atRate) {
        Map<String, Double> figures = new HashMap<>();
        series.forEach((figure, seconds) -> figures.put(figure.id(), Math.exp(seconds.log())));
        return new CompareRun(
                position,
                side,
                startSeconds,
                warmUp.seconds,
                warmUp.settled,
                figures,
                measurements.stream().mapToLong(Measurement::failed).sum(),
                measurements.stream().mapToLong(Measurement::offered).sum(),
                failures(measurements.stream()),
                atRate == null ? null : (double) atRate.completedInSchedule() / Math.max(1, atRate.offered()),
                measurements.stream()
                        .mapToDouble(run -> run.generator().busiestThreadShare())
                        .max()
                        .orElse(0));
    }

    private static List<String> failures(Stream<Measurement> runs) {
        Map<String, Long> counts = runs.flatMap(RunMeasurer::reasons)
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.summingLong(Map.Entry::getValue)));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(reason -> reason.getKey() + " x " + reason.getValue())
                .toList();
    }

    private static Stream<Map.Entry<String, Long>> reasons(Measurement run) {
        Stream<Map.Entry<String, Long>> statuses = run.statuses().entrySet().stream()
                .filter(status -> status.getKey() >= 400 || status.getKey() < 200)
                .map(status -> Map.entry("status " + status.getKey(), status.getValue()));
        Stream<Map.Entry<String, Long>> others = run.failures().entrySet().stream()
                .filter(failure -> failure.getKey() != FailureKind.STATUS)
                .map(failure -> Map.entry(
                        run.examples()
                                .getOrDefault(failure.getKey(), failure.getKey().id()),
                        failure.getValue()));
        return Stream.concat(statuses, others);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static void ignore(SecondSample second) {
        // Only the whole run counts here.
    }
}
