package dev.weir.lab.load;

import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Slo;
import dev.weir.lab.measure.FailureKind;
import dev.weir.lab.measure.GeneratorLimit;
import dev.weir.lab.measure.LatencySummary;
import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one run of {@code weir load} measured. This record, written as JSON, is the published format; its schema is
 * docs/reference/weir-load.schema.json. {@link Measurement} defines the figures.
 *
 * @param schema name and version of the format
 * @param startedAt in UTC, as ISO 8601 writes it
 * @param interrupted whether the user ended the run early
 * @param failed failed requests by kind, all kinds, also those without a failure
 * @param failureReasons the first reason seen of a kind, where one is known
 * @param statuses complete responses by HTTP status code
 * @param littleRatio in flight / (rate x latency), 1 where stationary; null where nothing completed
 * @param generatorLimits why the run may have measured the generator instead of the service; empty where it did not
 * @param slo null where none was asked for
 */
public record LoadResult(
        String schema,
        String startedAt,
        Machine machine,
        LoadOptions options,
        boolean interrupted,
        double durationSeconds,
        long offered,
        long sent,
        long completed,
        long completedInSchedule,
        long late,
        Map<String, Long> failed,
        Map<String, String> failureReasons,
        Map<String, Long> statuses,
        double offeredPerSecond,
        double completedPerSecond,
        double errorShare,
        long bytesReceived,
        long connectionsOpened,
        double meanInFlight,
        @Nullable Double littleRatio,
        LatencySummary fromIntended,
        LatencySummary fromSent,
        LatencySummary scheduleLag,
        Cost generator,
        List<Limit> generatorLimits,
        @Nullable Objective slo,
        List<SecondSample> seconds) {

    /** Name and version of the format. */
    public static final String SCHEMA = "weir.load/1";

    /** Schedule lag at p99 above this share of the median latency is a good part of what was measured. */
    private static final double LAG_OF_MEDIAN_LATENCY = 0.5;

    /**
     * What the generator spent.
     *
     * @param cpuMicrosPerRequest CPU time of the process / requests sent; null where none was sent
     * @param busiestThreadShare CPU time of the busiest engine thread / wall time
     * @param runDelaySeconds time the engine threads waited for a CPU, summed; null where the system does not tell
     * @param machineCpuShare share of the machine's CPUs in use by anything; null where the system does not tell
     */
    public record Cost(
            double cpuSeconds,
            @Nullable Double cpuMicrosPerRequest,
            double busiestThreadShare,
            @Nullable Double runDelaySeconds,
            @Nullable Double machineCpuShare,
            int cpus) {}

    /** A reason not to believe the run; {@code kind} is one of {@link GeneratorLimit.Kind#id}. */
    public record Limit(String kind, String sentence, String advice) {}

    /** The objective, and what of it the run broke. */
    public record Objective(String text, boolean holds, List<String> broken) {}

    public LoadResult {
        generatorLimits = List.copyOf(generatorLimits);
        seconds = List.copyOf(seconds);
    }

    /** Failed requests of every kind. */
    long failures() {
        return failed.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Whether the run says more of the generator than of the service, and not only that it disturbed it: one of its threads
     * was full, or requests left so late that this makes up much of the latency measured.
     */
    boolean measuredTheGenerator() {
        boolean full = has(GeneratorLimit.Kind.THREAD);
        boolean late = has(GeneratorLimit.Kind.SCHEDULE_LAG)
                && scheduleLag.p99Millis() > LAG_OF_MEDIAN_LATENCY * fromSent.p50Millis();
        return full || late;
    }

    private boolean has(GeneratorLimit.Kind kind) {
        return generatorLimits.stream().anyMatch(limit -> limit.kind().equals(kind.id()));
    }

    /** Puts a run's figures together. */
    public static LoadResult of(
            LoadOptions options,
            Measurement run,
            Machine machine,
            Instant startedAt,
            boolean interrupted,
            @Nullable Slo slo) {
        double seconds = run.duration().toNanos() / 1e9;
        double littleRatio = run.littleRatio();
        return new LoadResult(
                SCHEMA,
                startedAt.toString(),
                machine,
                options,
                interrupted,
                seconds,
                run.offered(),
                run.sent(),
                run.completed(),
                run.completedInSchedule(),
                run.late(),
                failed(run),
                reasons(run),
                statuses(run),
                run.offered() / seconds,
                run.completedPerSecond(),
                run.errorShare(),
                run.bytesReceived(),
                run.connectionsOpened(),
                run.meanInFlight(),
                Double.isFinite(littleRatio) ? littleRatio : null,
                LatencySummary.of(run.fromIntended()),
                LatencySummary.of(run.fromSent()),
                LatencySummary.of(run.scheduleLag()),
                cost(run),
                limits(run, options),
                slo == null ? null : objective(slo, run),
                run.seconds());
    }

    private static Map<String, Long> failed(Measurement run) {
        Map<String, Long> failed = new TreeMap<>();
        for (FailureKind kind : FailureKind.values()) {
            failed.put(kind.id(), run.failures().getOrDefault(kind, 0L));
        }
        return failed;
    }

    private static Map<String, String> reasons(Measurement run) {
        return run.examples().entrySet().stream()
                .collect(Collectors.toMap(
                        example -> example.getKey().id(), Map.Entry::getValue, (one, other) -> one, TreeMap::new));
    }

    private static Map<String, Long> statuses(Measurement run) {
        return run.statuses().entrySet().stream()
                .collect(Collectors.toMap(
                        status -> status.getKey().toString(), Map.Entry::getValue, Long::sum, TreeMap::new));
    }

    private static Cost cost(Measurement run) {
        long runDelay = run.generator().runDelayNanos();
        double machine = run.generator().machineCpuShare();
        return new Cost(
                run.generator().cpuNanos() / 1e9,
                run.sent() == 0 ? null : run.generator().cpuNanos() / 1e3 / run.sent(),
                run.generator().busiestThreadShare(),
                runDelay < 0 ? null : runDelay / 1e9,
                machine < 0 ? null : machine,
                run.generator().cpus());
    }

    private static List<Limit> limits(Measurement run, LoadOptions options) {
        return GeneratorLimit.of(run, options.threads(), options.connections()).stream()
                .map(limit -> new Limit(limit.kind().id(), limit.sentence(), limit.advice()))
                .toList();
    }

    private static Objective objective(Slo slo, Measurement run) {
        List<String> broken = slo.broken(run);
        return new Objective(slo.text(), broken.isEmpty(), broken);
    }
}
